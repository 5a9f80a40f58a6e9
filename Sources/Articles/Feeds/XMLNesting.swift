import CXML
import Limits

/// How deep the open elements of a document lie, and how many namespaces they declare.
///
/// The parser looks a prefix up in all namespaces that are declared where it stands.
struct XMLNesting {
  private let depthLimit: Int
  /// How many namespaces each open element declares.
  private var declared: [Int] = []
  private var total = 0

  /// Feeds declare some twenty, on their outermost element.
  static let namespaceLimit = 256

  init(depthLimit: Int) { self.depthLimit = depthLimit }

  /// How many elements are open.
  var depth: Int { declared.count }

  /// Takes note of an element that begins.
  mutating func open(
    namespaces: Int, in context: xmlParserCtxtPtr?, budget: Budget
  ) throws(FeedError) {
    declared.append(namespaces)
    total += namespaces
    guard depth <= depthLimit else {
      throw .tooDeep(line: Int(xmlSAX2GetLineNumber(context)))
    }
    // With each of them the parser compares a prefix.
    budget.spend(1 + total)
    budget.require(total, atMost: Self.namespaceLimit, .namespaces)
    if let end = budget.end { throw FeedError(end) }
  }

  mutating func close() { total -= declared.popLast() ?? 0 }
}
