import CXML
import Limits

/// libxml2's push parser, driving an ``OPMLBuilder``.
///
/// What it is given has been through ``XMLRepair``: there is no DOCTYPE in it.
enum OPMLSource {
  private static let depthLimit = 64
  private static let chunkSize = 1 << 20

  static func parse(
    _ bytes: ArraySlice<UInt8>, budget: Budget
  ) throws(FeedError) -> SubscriptionList {
    var run = Run(budget: budget)
    withUnsafeMutablePointer(to: &run) { drive($0, through: bytes) }
    if let failure = run.failure { throw failure }
    if let end = budget.end { throw FeedError(end) }
    guard run.isComplete else {
      throw .truncated(line: bytes.reduce(1) { $1 == 0x0A ? $0 + 1 : $0 })
    }
    return run.builder.list
  }

  private struct Run {
    let budget: Budget
    var builder: OPMLBuilder
    var nesting = XMLNesting(depthLimit: depthLimit)
    var context: xmlParserCtxtPtr?
    var failure: FeedError?
    var isComplete = false
    /// Whether the parser has had all bytes: what it then finds wrong is that there are no more.
    var isEnding = false

    init(budget: Budget) {
      self.budget = budget
      builder = OPMLBuilder(budget: budget)
    }

    mutating func fail(_ error: FeedError) {
      if failure == nil, !isComplete { failure = error }
      if let context { xmlStopParser(context) }
    }
  }

  private static func drive(_ run: UnsafeMutablePointer<Run>, through bytes: ArraySlice<UInt8>) {
    XMLSource.initialize()
    var handler = xmlSAXHandler()
    handler.initialized = UInt32(XML_SAX2_MAGIC)
    handler.startElementNs = startElement
    handler.endElementNs = endElement
    handler.serror = report
    guard let context = xmlCreatePushParserCtxt(&handler, run, nil, 0, nil) else {
      return run.pointee.fail(.malformed(line: 0, reason: "out of memory"))
    }
    defer { xmlFreeParserCtxt(context) }
    run.pointee.context = context
    let options = [XML_PARSE_RECOVER, XML_PARSE_NONET, XML_PARSE_IGNORE_ENC, XML_PARSE_NOENT]
    xmlCtxtUseOptions(context, Int32(options.reduce(0) { $0 | $1.rawValue }))
    bytes.withUnsafeBytes { bytes in
      var start = 0
      while start < bytes.count, run.pointee.failure == nil, !run.pointee.isComplete {
        let count = min(chunkSize, bytes.count - start)
        let chunk = UnsafeRawBufferPointer(rebasing: bytes[start..<(start + count)])
        xmlParseChunk(
          context, chunk.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(count), 0)
        start += count
        run.pointee.budget.spend(count)
      }
    }
    run.pointee.isEnding = true
    if run.pointee.failure == nil, !run.pointee.isComplete { xmlParseChunk(context, nil, 0, 1) }
  }

  private static func run(_ user: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<Run>? {
    user?.assumingMemoryBound(to: Run.self)
  }

  private static let startElement: startElementNsSAX2Func = {
    user, name, _, _, namespaceCount, _, attributeCount, _, attributes in
    guard let run = OPMLSource.run(user), let name, run.pointee.failure == nil else { return }
    let element = String(outside: name)
    let (context, budget) = (run.pointee.context, run.pointee.budget)
    budget.spend(element.utf8.count + Int(attributeCount) * 16)
    do throws(FeedError) {
      try run.pointee.nesting.open(namespaces: Int(namespaceCount), in: context, budget: budget)
    } catch {
      return run.pointee.fail(error)
    }
    if run.pointee.nesting.depth == 1, element != "opml" {
      return run.pointee.fail(
        .notAFeed(found: element.lowercased() == "html" ? .html : .xml(root: element)))
    }
    switch element {
    case "body": run.pointee.builder.startBody()
    case "outline":
      run.pointee.builder.startOutline(
        XMLAttributes(start: attributes, count: Int(attributeCount)))
    default: break
    }
  }

  private static let endElement: endElementNsSAX2Func = { user, name, _, _ in
    guard let run = OPMLSource.run(user), let name, run.pointee.failure == nil else { return }
    run.pointee.nesting.close()
    if String(outside: name) == "outline" { run.pointee.builder.endOutline() }
    if run.pointee.nesting.depth == 0 {
      run.pointee.isComplete = true
      if let context = run.pointee.context { xmlStopParser(context) }
    }
  }

  private static let report: xmlStructuredErrorFunc = { user, error in
    guard let run = OPMLSource.run(user), let error = error?.pointee else { return }
    let code = xmlParserErrors(rawValue: UInt32(bitPattern: error.code))
    guard error.level == XML_ERR_FATAL, code != XML_ERR_ATTRIBUTE_REDEFINED,
      code != XML_ERR_USER_STOP
    else { return }
    let reason = error.message.map { String(cString: $0) } ?? ""
    let line = Int(error.line)
    run.pointee.fail(
      run.pointee.isEnding
        ? .truncated(line: line) : .malformed(line: line, reason: reason.trimmingWhiteSpace()))
  }
}
