import Loading

/// What happened to content that could not be reloaded, or to a change of it, beside or below it.
struct FailureStrip: View {
  /// How much the strip says, and in how many rows.
  enum Form {
    /// One row: the reason, the keys, and how long a retry has to wait.
    case line
    /// One row: the reason and the key to retry.
    case brief
    /// The reason in as many rows as it needs, and a row with the rest.
    case paragraph
  }

  let failure: LoadFailure
  /// How many more changes failed.
  var more = 0
  let retry: RetryOffer
  var retryAction = KeyAction.reload
  var canDismiss = false
  var form = Form.line
  @Environment(\.describeError) private var describe

  private static let linesOfReason = 3

  var body: some View {
    let description = describe(failure.error)
    HintedLine {
      strip(description, hasHints: true)
    } withoutHints: {
      strip(description, hasHints: false)
    }
  }

  @ViewBuilder
  private func strip(_ description: ErrorDescription, hasHints: Bool) -> some View {
    let reason = FailureText(
      what: description.what + (more > 0 ? " And \(more) more." : ""), isBesideContent: true)
    if form == .paragraph {
      VStack(alignment: .leading) {
        reason.lineLimit(Self.linesOfReason)
        ViewThatFits(in: .horizontal) {
          if canDismiss, hasHints {
            HStack(spacing: 0) { rest(description, hasHints: true, canDismiss: true) }
          }
          HStack(spacing: 0) { rest(description, hasHints: hasHints, canDismiss: false) }
        }
        .frame(maxWidth: .infinity, alignment: .trailing)
      }
    } else {
      // The hint to dismiss is the first to lose room, for the reason, the hint to retry the last.
      ViewThatFits(in: .horizontal) {
        if canDismiss, hasHints, form == .line {
          line(reason, description, hasHints: true, canDismiss: true)
        }
        line(reason, description, hasHints: hasHints, canDismiss: false)
      }
    }
  }

  private func line(
    _ reason: FailureText, _ description: ErrorDescription, hasHints: Bool, canDismiss: Bool
  ) -> some View {
    HStack(spacing: 0) {
      // The gap belongs to the reason.
      reason.lineLimit(1).padding(.trailing)
      Spacer()
      rest(description, hasHints: hasHints, canDismiss: canDismiss)
    }
  }

  @ViewBuilder
  private func rest(_ description: ErrorDescription, hasHints: Bool, canDismiss: Bool) -> some View
  {
    let lead = form == .brief && retry != .none ? nil : description.lead
    if hasHints, let lead {
      KeyHint(lead.action, lead.words).lineLimit(1)
        .padding(.trailing, retry == .none ? 0 : 2)
        .layoutPriority(1)
    }
    if retry != .none {
      if hasHints || retry == .running {
        RetryHint(action: retryAction, isRunning: retry == .running).layoutPriority(1)
      }
    } else if form != .brief, let pause = description.pauseLeft {
      Text(pause.words).foregroundStyle(\.secondary).lineLimit(1)
        .padding(.leading, lead == nil ? 0 : 2)
        .layoutPriority(1)
    }
    if canDismiss {
      KeyHint(.dismiss, "to dismiss").lineLimit(1)
        .padding(.leading, 3)
        .layoutPriority(1)
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
    let bare = context.child(.role(.copy)).node(withoutHints)
    return [
      DrawnNode(context, inner.node(line)) { context, content, region in
        // Also if its hints are not shown: drawing them declares them, so that they can be.
        content.draw(in: region)
        let isHinted = context.frame.trueHints.keys.contains { $0.isWithin(inner.path) }
        // What was drawn before is the beginning of the same text, cut earlier.
        if !isHinted { bare.draw(in: region) }
      }
    ]
  }
}

/// A failure where there is no room for words.
struct FailureMark: View {
  /// The action of the key that retries; nil for none.
  let retry: KeyAction?
  @Environment(\.isPlain) private var isPlain

  var body: some View {
    HStack {
      Text(isPlain ? "Failed" : "✗").bold().foregroundStyle(\.failure).lineLimit(1)
      if let retry { KeyHint(retry).lineLimit(1) }
    }
  }
}
