import Loading
import TerminalUI

extension ExampleOptions {
  /// The Swift of the example with the chosen options; options with their default value are left
  /// out.
  var code: CatalogCode {
    let usual = ExampleOptions()
    var body = CatalogCode("AsyncContentView(socks) { socks in")
    body.add("  List(socks) { Text($0.title)\(changesRows ? ".modifying($0.id)" : "") }")
    body.add("}")
    body.add(".placeholder(Sock.samples)", if: hasPlaceholder)
    if ownViews.contains(.loading) {
      body.add(".loading { progress in Text(progress?.message ?? \"Loading the post.\") }")
    }
    if ownViews.contains(.error) {
      body.add(".failure { failure, retry in")
      body.add("  Text(\"The drawer is jammed.\")")
      body.add("  if let retry { Button(\"Pull harder\", action: retry) }")
      body.add("}")
    }
    body.add(".empty { Text(\"No socks at all.\") }", if: ownViews.contains(.empty))
    body.add(".idle { load in Button(\"Load\", action: load) }", if: ownViews.contains(.idle))
    let styles = [
      ("initial", first, usual.first), ("afterValue", afterValue, usual.afterValue),
      ("afterError", afterError, usual.afterError),
    ].compactMap { moment, look, usual in
      var (chosen, usual) = (look, usual)
      (chosen.hasOwnIndicator, usual.hasOwnIndicator) = (false, false)
      return chosen == usual ? nil : chosen.swift.map { "  \(moment): \($0)" }
    }
    if !styles.isEmpty {
      body.add(".loadingViewStyle(")
      body.add(styles.joined(separator: ",\n") + ")")
    }
    indicator.map { body.add($0) }
    if gate != usual.gate {
      body.add(".environment(\\.loadingViewOptions.gate,")
      body.add("  IndicatorGate(delay: \(gate.delay.swift), minimum: \(gate.minimum.swift)))")
    }
    body.add(".redactionStyle(.\(redaction))", if: redaction != usual.redaction)
    return CatalogCode("import Loading", "import TerminalUI")
      + CatalogCode.view("Drawer", property, body: CatalogCode(body.text))
  }

  private var changesRows: Bool { changeCount > 1 }

  /// The declaration of the example's resource.
  private var property: String {
    var arguments = [loader]
    if errorPolicy == .replace { arguments.append("errorPolicy: .replace") }
    if !startsOnAppear { arguments.append("startsOnAppear: false") }
    return "let socks = Resource(\(arguments.joined(separator: ",\n  ")))"
  }

  private var loader: String {
    let failing = allowsRetry ? "" : "  // Its error says isRetryable: false (RetryAdvice).\n"
    let report =
      switch progress {
      case .none: ""
      case .message: "  context.report(message: \"part 1\")\n"
      case .fraction: "  context.report(LoadingProgress(completed: 1, of: 5))\n"
      }
    let context = report.isEmpty ? "_" : "context"
    return "Loader { \(context) in\n\(failing)\(report)  return try await api.socks()\n}"
  }

  private var indicator: String? {
    let moments = [
      (first, ".initial"), (afterValue, ".afterValue"), (afterError, ".afterError"),
    ].filter { $0.0.hasOwnIndicator }.map(\.1)
    guard !moments.isEmpty else { return nil }
    let some = moments.count == 3 ? "" : "(in: [\(moments.joined(separator: ", "))])"
    return
      ".loadingIndicator\(some) { progress in\n  Text(\"✉ \\(progress?.message ?? \"on its way\")\")\n}"
  }
}

extension ExampleOptions.Look {
  /// The style as Swift code; nil if it is that of the library.
  fileprivate var swift: String? {
    func call(_ name: String, _ first: String, _ alignment: String) -> String {
      var arguments = [first]
      if opacity != 1 { arguments.append("opacity: \(opacity)") }
      if !alignment.isEmpty { arguments += ["alignment: \(alignment)", "spacing: \(spacing)"] }
      return "\(name)(\(arguments.joined(separator: ", ")))"
    }
    return switch style {
    case .automatic: nil
    case .hidden: ".hidden"
    case .material: ".material"
    case .leading, .trailing: call(".horizontal", ".\(style)", alignment.vertical.swift)
    case .top, .bottom: call(".vertical", ".\(style)", alignment.horizontal.swift)
    case .overContent: call(".overContent", alignment.swift, "")
    case .custom:
      ".custom { content, progress in AnyView(VStack { Text(\"≈ loading ≈\"); content }) }"
    }
  }
}

/// The Swift of a change to the example.
extension ExampleOptions {
  var changeCode: CatalogCode {
    var code = CatalogCode("@MainActor func dye(_ socks: Resource<[Sock]>, _ sock: Sock) {")
    code.add("  socks.mutate(")
    code.add(
      "    item: sock.id, field: \"colour\""
        + (timing == .confirmed ? ", timing: .confirmed" : "")
        + (undoWindow > .zero ? ", undoWindow: \(undoWindow.swift)" : ""))
    code.add("  ) { socks in")
    code.add("    socks.modify(id: sock.id) { $0.title += \" (in blue)\" }")
    code.add("  } commit: { _ in")
    code.add("    try await api.dye(sock.id)")
    code.add("  }")
    code.add("}")
    return code
  }
}
