import CXML
import Limits

/// Handles the elements of a document in order.
///
/// The names and texts that are passed to it are valid only during the call.
protocol XMLBuilder {
  /// The deepest nesting of elements; deeper documents are refused.
  static var depthLimit: Int { get }

  mutating func start(
    name: UnsafePointer<UInt8>, prefix: UnsafePointer<UInt8>?, uri: UnsafePointer<UInt8>?,
    attributes: XMLAttributes
  ) throws(FeedError)
  mutating func end(name: UnsafePointer<UInt8>)
  mutating func characters(_ text: UnsafeBufferPointer<UInt8>)
}

/// Drives an ``XMLBuilder`` with libxml2's SAX2 push parser.
///
/// The input has been through ``XMLRepair``: UTF-8 without a DOCTYPE or an XML declaration. The
/// parser still has its own limits on the length of names and attributes.
enum XMLSource {
  /// One megabyte: the parser refuses to look ahead more than ten.
  static let defaultChunkSize = 1 << 20

  /// Parses the document up to the end of its outermost element.
  ///
  /// Anything after that is ignored: some servers append things.
  static func parse<Builder: XMLBuilder>(
    _ bytes: ArraySlice<UInt8>, into builder: inout Builder, chunkSize: Int = defaultChunkSize,
    budget: Budget
  ) throws(FeedError) {
    _ = isInitialized
    let (failure, isComplete) = withUnsafeMutablePointer(to: &builder) { builder in
      var run = Run(builder: builder, type: Builder.self, budget: budget)
      withUnsafeMutablePointer(to: &run) { drive($0, through: bytes, chunkSize: chunkSize) }
      return (run.failure, run.isComplete)
    }
    if let failure { throw failure }
    if let end = budget.end { throw FeedError(end) }
    guard isComplete else {
      throw .truncated(line: bytes.reduce(1) { $1 == 0x0A ? $0 + 1 : $0 })
    }
  }

  private static func drive(
    _ run: UnsafeMutablePointer<Run>, through bytes: ArraySlice<UInt8>, chunkSize: Int
  ) {
    var handler = xmlSAXHandler()
    handler.initialized = UInt32(XML_SAX2_MAGIC)
    handler.startElementNs = startElement
    handler.endElementNs = endElement
    handler.characters = characters
    handler.ignorableWhitespace = characters
    handler.cdataBlock = characters
    handler.serror = report
    guard let context = xmlCreatePushParserCtxt(&handler, run, nil, 0, nil) else {
      run.pointee.failure = .malformed(line: 0, reason: "out of memory")
      return
    }
    defer { xmlFreeParserCtxt(context) }
    run.pointee.context = context
    // NOENT decodes `&amp;` in attributes, which would be `&#38;` without it; there are no entities
    // except the five of XML itself.
    let options = [XML_PARSE_RECOVER, XML_PARSE_NONET, XML_PARSE_IGNORE_ENC, XML_PARSE_NOENT]
    xmlCtxtUseOptions(context, Int32(options.reduce(0) { $0 | $1.rawValue }))
    bytes.withUnsafeBytes { bytes in
      var start = 0
      while start < bytes.count, !run.pointee.isFinished {
        let count = min(chunkSize, bytes.count - start)
        let chunk = UnsafeRawBufferPointer(rebasing: bytes[start..<(start + count)])
        xmlParseChunk(
          context, chunk.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(count), 0)
        start += count
        run.pointee.budget.spend(count)
      }
    }
    run.pointee.isEnding = true
    if !run.pointee.isFinished { xmlParseChunk(context, nil, 0, 1) }
  }

  // `xmlInitParser` is not thread-safe, so it is called once.
  private static let isInitialized: Bool = {
    xmlInitParser()
    return true
  }()

  /// The state shared by the callbacks.
  ///
  /// They access it and the builder through raw pointers: reference counting would cost more than
  /// parsing.
  private struct Run {
    let builder: UnsafeMutableRawPointer
    let type: any XMLBuilder.Type
    let budget: Budget
    var nesting: XMLNesting
    var context: xmlParserCtxtPtr?
    var failure: FeedError?
    /// Whether the outermost element has ended.
    var isComplete = false
    /// Whether the parser has got all bytes.
    ///
    /// Complete elements have been handled by then; further errors concern the fragment left by a
    /// truncation.
    var isEnding = false

    init(builder: UnsafeMutableRawPointer, type: any XMLBuilder.Type, budget: Budget) {
      (self.builder, self.type, self.budget) = (builder, type, budget)
      nesting = XMLNesting(depthLimit: type.depthLimit)
    }

    var isFinished: Bool { failure != nil || isComplete || budget.isSpent }

    func stopIfFinished() {
      if isFinished, let context { xmlStopParser(context) }
    }
  }

  private static func run(_ user: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<Run>? {
    user?.assumingMemoryBound(to: Run.self)
  }

  private static let startElement: startElementNsSAX2Func = {
    user, name, prefix, uri, namespaceCount, _, attributeCount, _, attributes in
    guard let run = XMLSource.run(user), let name, run.pointee.failure == nil else { return }
    let context = run.pointee.context
    // A repaired mistake must not make the parser skip the text that follows.
    context?.pointee.wellFormed = 1
    do throws(FeedError) {
      let budget = run.pointee.budget
      // The parser compares each attribute with those before it, and they are searched for each
      // known name.
      budget.spend(Int(attributeCount) * 16)
      try run.pointee.nesting.open(namespaces: Int(namespaceCount), in: context, budget: budget)
      try run.pointee.type.start(
        run.pointee.builder, name, prefix, uri,
        XMLAttributes(start: attributes, count: Int(attributeCount)))
    } catch {
      run.pointee.failure = error
      run.pointee.stopIfFinished()
    }
  }

  private static let endElement: endElementNsSAX2Func = { user, name, _, _ in
    guard let run = XMLSource.run(user), let name, run.pointee.failure == nil else { return }
    run.pointee.nesting.close()
    run.pointee.type.end(run.pointee.builder, name)
    run.pointee.isComplete = run.pointee.nesting.depth == 0
    run.pointee.stopIfFinished()
  }

  private static let characters: charactersSAXFunc = { user, text, count in
    guard let run = XMLSource.run(user), let text else { return }
    run.pointee.budget.spend(Int(count))
    run.pointee.type.characters(
      run.pointee.builder, UnsafeBufferPointer(start: text, count: Int(count)))
    run.pointee.stopIfFinished()
  }

  private static let report: xmlStructuredErrorFunc = { user, error in
    guard let run = XMLSource.run(user), !run.pointee.isFinished, let error = error?.pointee
    else { return }
    let code = xmlParserErrors(rawValue: UInt32(bitPattern: error.code))
    guard error.level == XML_ERR_FATAL, code != XML_ERR_ATTRIBUTE_REDEFINED else { return }
    let line = Int(error.line)
    let reason = error.message.map { String(cString: $0) } ?? ""
    run.pointee.failure =
      run.pointee.isEnding
      ? .truncated(line: line) : .malformed(line: line, reason: reason.trimmingWhiteSpace())
    run.pointee.stopIfFinished()
  }
}

// A C callback has no generic type, so each call looks up the builder's type.
extension XMLBuilder {
  private static func builder(_ address: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Self> {
    address.assumingMemoryBound(to: Self.self)
  }

  fileprivate static func start(
    _ address: UnsafeMutableRawPointer, _ name: UnsafePointer<UInt8>,
    _ prefix: UnsafePointer<UInt8>?, _ uri: UnsafePointer<UInt8>?, _ attributes: XMLAttributes
  ) throws(FeedError) {
    try builder(address).pointee.start(
      name: name, prefix: prefix, uri: uri, attributes: attributes)
  }

  fileprivate static func end(_ address: UnsafeMutableRawPointer, _ name: UnsafePointer<UInt8>) {
    builder(address).pointee.end(name: name)
  }

  fileprivate static func characters(
    _ address: UnsafeMutableRawPointer, _ text: UnsafeBufferPointer<UInt8>
  ) {
    builder(address).pointee.characters(text)
  }
}

/// The attributes of one element; valid only during the callback.
struct XMLAttributes {
  let start: UnsafeMutablePointer<UnsafePointer<UInt8>?>?
  let count: Int

  struct Attribute {
    let name: UnsafePointer<UInt8>
    let prefix: UnsafePointer<UInt8>?
    let value: UnsafeBufferPointer<UInt8>

    var text: String { String(outside: value) }
  }

  subscript(index: Int) -> Attribute? {
    guard let start, index < count else { return nil }
    // Five pointers per attribute: name, prefix, namespace, start and end of the value.
    let fields = start.advanced(by: index * 5)
    guard let name = fields[0], let value = fields[3], let end = fields[4] else { return nil }
    return Attribute(
      name: name, prefix: fields[1],
      value: UnsafeBufferPointer(start: value, count: end - value))
  }

  /// Returns the trimmed value of the attribute with this name.
  func value(_ name: StaticString, prefix: StaticString? = nil) -> String? {
    for index in 0..<count {
      guard let attribute = self[index], equals(attribute.name, name) else { continue }
      if let prefix {
        guard let actual = attribute.prefix, equals(actual, prefix) else { continue }
      } else if attribute.prefix != nil {
        continue
      }
      return attribute.text.trimmingWhiteSpace()
    }
    return nil
  }

  private func equals(_ text: UnsafePointer<UInt8>, _ other: StaticString) -> Bool {
    other.withUTF8Buffer { other in
      other.indices.allSatisfy { text[$0] == other[$0] } && text[other.count] == 0
    }
  }
}

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
