import Loading

/// A line beside content that could not be reloaded.
struct FailureStrip: View {
  let failure: LoadFailure
  let canRetry: Bool
  /// Whether it says how long a retry has to wait, which takes room from the reason.
  var saysPause = true
  @Environment(\.describeError) private var describe

  var body: some View {
    let description = describe(failure.error)
    HintedLine {
      line(description, hasHints: true)
    } withoutHints: {
      line(description, hasHints: false)
    }
  }

  private func line(_ description: ErrorDescription, hasHints: Bool) -> some View {
    // The hint to retry is the last to lose room; the gap belongs to the reason.
    HStack(spacing: 0) {
      FailureText(what: description.what, isBesideContent: true).lineLimit(1).padding(.trailing)
      Spacer()
      if hasHints, let lead = description.lead {
        KeyHint(lead.action, lead.words).lineLimit(1)
          .padding(.trailing, canRetry ? 2 : 0)
          .layoutPriority(1)
      }
      if canRetry {
        if hasHints { KeyHint(.reload, "to retry").lineLimit(1).layoutPriority(1) }
      } else if saysPause, let pause = description.pauseLeft {
        Text(pause.words).foregroundStyle(\.secondary).lineLimit(1)
          .padding(.leading, description.lead == nil ? 0 : 2)
          .layoutPriority(1)
      }
    }
  }
}

/// A line with hints, whose other parts get the room of the hints while none of them is shown.
///
/// Its size is that of the line with hints, so that it does not change with the focus.
private struct HintedLine<Line: View, Bare: View>: PrimitiveView {
  @ViewBuilder let line: Line
  @ViewBuilder let withoutHints: Bare

  func makeNodes(_ context: ViewContext) -> [Node] {
    let inner = context.child(.role(.content))
    return [
      HintedLineNode(
        context, inner.node(line), path: inner.path,
        bare: context.child(.role(.copy)).node(withoutHints))
    ]
  }
}

private final class HintedLineNode: WrapperNode {
  private let path: ViewPath
  private let bare: Node

  init(_ context: ViewContext, _ content: Node, path: ViewPath, bare: Node) {
    self.path = path
    self.bare = bare
    super.init(context, content)
  }

  override func draw(in region: Region) {
    // Also if its hints are not shown: drawing them declares them, so that they can be.
    super.draw(in: region)
    guard !frame.trueHints.contains(where: { $0.isWithin(path) }) else { return }
    // What was drawn before is the beginning of the same text, cut earlier.
    bare.draw(in: region)
  }
}

/// A failure where there is no room for words.
struct FailureMark: View {
  let canRetry: Bool
  @Environment(\.isPlain) private var isPlain

  var body: some View {
    HStack {
      Text(isPlain ? "Failed" : "✗").bold().foregroundStyle(\.failure).lineLimit(1)
      if canRetry { KeyHint(.reload).lineLimit(1) }
    }
  }
}
