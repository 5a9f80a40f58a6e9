import Foundation
import Loading
import TerminalUI

/// How long something is ago, or is to come, in the one unit that matters: `5 min`, `3 h`, `12 d`.
struct Age: Equatable {
  /// What is less than a minute ago.
  static let now = "now"

  let text: String
  /// In how many seconds the text is another one.
  let secondsToChange: Double

  /// - Parameter seconds: since then; a clock that was set back makes it less than nothing.
  init(since seconds: Double) {
    let seconds = max(0, seconds)
    let unit = Self.unit(of: seconds)
    let count = (seconds / unit.seconds).rounded(.down)
    text = seconds < 60 ? Self.now : "\(Int(count)) \(unit.name)"
    secondsToChange = seconds < 60 ? 60 - seconds : (count + 1) * unit.seconds - seconds
  }

  /// - Parameter seconds: until then, more than nothing; of a unit that has begun all counts.
  init(until seconds: Double) {
    let unit = Self.unit(of: seconds)
    let count = max(1, (seconds / unit.seconds).rounded(.up))
    text = "\(Int(count)) \(unit.name)"
    secondsToChange = max(1, seconds - (count - 1) * unit.seconds)
  }

  private static func unit(of seconds: Double) -> (seconds: Double, name: String) {
    switch seconds {
    case ..<3_600: (60, "min")
    case ..<86_400: (3_600, "h")
    default: (86_400, "d")
    }
  }
}

/// Something that says how long ago a date was, or how long it is until then; rebuilt when that
/// text is another one, and not before.
struct AgeView<Content: View>: View {
  private let age: @MainActor () -> Age?
  private let content: (String?) -> Content

  /// How long ago `date` was.
  init(since date: Date, days: DayText, @ViewBuilder content: @escaping (String) -> Content) {
    age = { Age(since: days.now().timeIntervalSince(date)) }
    self.content = { content($0 ?? Age.now) }
  }

  /// How long it is until `date`; nil when that is over.
  init(until date: Date, days: DayText, @ViewBuilder content: @escaping (String?) -> Content) {
    age = {
      let seconds = date.timeIntervalSince(days.now())
      return seconds > 0 ? Age(until: seconds) : nil
    }
    self.content = content
  }

  var body: some View {
    TimelineView(changesAfter: { now in
      age().map { now.advanced(by: .seconds(min($0.secondsToChange, 86_400))) }
    }) { _ in
      content(age()?.text)
    }
  }
}
