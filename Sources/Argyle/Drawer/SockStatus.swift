import Loading
import Socks
import TerminalUI

/// The status of a sock in a word or two, or as a symbol where words do not fit.
struct SockStatus: View {
  let state: DrawerRow.State
  var isBrief = false
  let clock: AnyClock
  @Environment(\.isPlain) private var isPlain
  @State private var savingSince: AnyClock.Instant?

  private static let gate = IndicatorGate()
  /// From when to when "saved" is shown after the last change.
  private static let praise = (from: Duration.milliseconds(300), to: Duration.seconds(3))

  var body: some View {
    HStack(spacing: 0) { content }
      .lineLimit(1)
      // Takes space even while it is empty: a view without a size is not on the screen.
      .frame(minWidth: 1, minHeight: 1, alignment: .leading)
      .onChange(of: isSaving, initial: true) { _, isSaving in
        savingSince = isSaving ? clock.now : nil
      }
  }

  private var isSaving: Bool { if case .saving = state { true } else { false } }

  @ViewBuilder
  private var content: some View {
    switch state {
    case .removable(let until): countdown(to: until)
    case .removing: activity("removing")
    case .saving: saving
    case .failed:
      word("not saved", sign: "✗", brief: "failed").foregroundStyle(\.failure)
    case .saved(let at): saved(at: at)
    case .changed, .settled: EmptyView()
    }
  }

  private func word(_ word: String, sign: String, brief: String) -> Text {
    if isPlain { return Text(isBrief ? brief : word) }
    return Text(sign).bold() + Text(isBrief ? "" : " \(word)")
  }

  private func countdown(to end: AnyClock.Instant) -> some View {
    TimelineView(changesAfter: { now in
      let seconds = now.wholeSeconds(to: end)
      return seconds > 0 ? end.advanced(by: .seconds(1 - seconds)) : nil
    }) { now in
      Text(isBrief ? "\(now.wholeSeconds(to: end)) s" : "removed in \(now.wholeSeconds(to: end)) s")
        .foregroundStyle(\.warning)
    }
  }

  // Delayed, because a store on this machine answers before the word could be read.
  private var saving: some View {
    let opens = savingSince?.advanced(by: Self.gate.delay)
    return TimelineView(changesAfter: { now in opens.flatMap { now < $0 ? $0 : nil } }) { now in
      if let opens, now >= opens { activity("saving") }
    }
  }

  @ViewBuilder
  private func activity(_ word: String) -> some View {
    if isBrief { Spinner(word) } else { ProgressView(word) }
  }

  // Delayed, because a key that is held down saves many times, and the mark would flicker.
  private func saved(at instant: AnyClock.Instant) -> some View {
    let (from, to) = (
      instant.advanced(by: Self.praise.from), instant.advanced(by: Self.praise.to)
    )
    return TimelineView(changesAfter: { now in now < from ? from : now < to ? to : nil }) { now in
      if now >= from, now < to {
        word("saved", sign: "✓", brief: "saved").foregroundStyle(\.success)
      }
    }
  }
}

extension DrawerRow.State {
  /// Whether its word has a spinner, beside which another one would say nothing.
  var hasSpinner: Bool {
    switch self {
    case .saving, .removing: true
    case .removable, .changed, .failed, .saved, .settled: false
    }
  }
}

extension DrawerRow {
  /// The text that plain mode announces for the selected sock: its name, its sogginess and its
  /// status.
  var spoken: String {
    let change =
      switch state {
      case .removable: "removed, can be undone"
      case .removing: "removing"
      case .saving: "saving"
      case .failed: "not saved"
      case .saved: "saved"
      case .changed, .settled: ""
      }
    return (["\(sock.name): sogginess \(sock.sogginess)", change].filter { !$0.isEmpty })
      .joined(separator: ", ") + "."
  }
}

extension AnyClock.Instant {
  /// Returns the seconds until `end`, rounded up; never negative.
  fileprivate func wholeSeconds(to end: AnyClock.Instant) -> Int {
    let left = max(Duration.zero, duration(to: end)).components
    return Int(left.seconds) + (left.attoseconds > 0 ? 1 : 0)
  }
}
