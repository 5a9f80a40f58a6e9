import CXML
import Limits

/// Counts the open elements of a document and the namespaces that they declare.
///
/// The parser searches all namespaces in scope for each prefix.
struct XMLNesting {
  private let depthLimit: Int
  /// How many namespaces each open element declares.
  private var declared: [Int] = []
  private var total = 0

  /// The most namespaces in scope; feeds declare about twenty, on their outermost element.
  static let namespaceLimit = 256

  init(depthLimit: Int) { self.depthLimit = depthLimit }

  /// How many elements are open.
  var depth: Int { declared.count }

  /// Records the start of an element.
  mutating func open(
    namespaces: Int, in context: xmlParserCtxtPtr?, budget: Budget
  ) throws(FeedError) {
    declared.append(namespaces)
    total += namespaces
    guard depth <= depthLimit else {
      throw .tooDeep(line: Int(xmlSAX2GetLineNumber(context)))
    }
    // The parser compares a prefix with each namespace in scope.
    budget.spend(1 + total)
    budget.require(total, atMost: Self.namespaceLimit, .namespaces)
    if let end = budget.end { throw FeedError(end) }
  }

  mutating func close() { total -= declared.popLast() ?? 0 }
}
