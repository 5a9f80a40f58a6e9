import Loading
import Socks
import TerminalUI

/// What is going on with a sock, in a word or two, or in a sign where there is no room for words.
struct SockStatus: View {
  let state: DrawerRow.State
  var isBrief = false
  let clock: AnyClock
  @Environment(\.isPlain) private var isPlain
  @State private var savingSince: AnyClock.Instant?

  private static let gate = IndicatorGate()
  /// How long it is said that something was saved, from when no other change came after it.
  private static let praise = (from: Duration.milliseconds(300), to: Duration.seconds(3))

  var body: some View {
    HStack(spacing: 0) { content }
      .lineLimit(1)
      // There also while there is nothing to say: what has no room is not on the screen.
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

  // Not at once: a store on this machine answers too soon for a word to be read.
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

  // Not at once: a key that is held down saves many times, and the mark would flash.
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

extension DrawerRow {
  /// What is read out of the selected sock: its name, how soggy it is, and what is going on with it.
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
  /// The seconds that are left until `end`, one that has begun counting whole; not negative.
  fileprivate func wholeSeconds(to end: AnyClock.Instant) -> Int {
    let left = max(Duration.zero, duration(to: end)).components
    return Int(left.seconds) + (left.attoseconds > 0 ? 1 : 0)
  }
}
