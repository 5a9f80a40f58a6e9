import Foundation
import Loading
import TerminalUI

/// How long ago something was, or how long until it happens, in its largest unit: `5 min`, `3 h`,
/// `12 d`.
struct Age: Equatable {
  /// The text for anything less than a minute ago.
  static let now = "now"

  let text: String
  /// How many seconds remain until the text changes.
  let secondsToChange: Double

  /// - Parameter seconds: seconds since then; negative, and treated as 0, if the clock was set
  ///   back.
  init(since seconds: Double) {
    let seconds = max(0, seconds)
    let unit = Self.unit(of: seconds)
    let count = (seconds / unit.seconds).rounded(.down)
    text = seconds < 60 ? Self.now : "\(Int(count)) \(unit.name)"
    secondsToChange = seconds < 60 ? 60 - seconds : (count + 1) * unit.seconds - seconds
  }

  /// - Parameter seconds: seconds until then, more than 0; a unit that has begun counts as a whole
  ///   one.
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

/// A view of how long ago a date was, or how long it is until then; rebuilt only when that text
/// changes.
struct AgeView<Content: View>: View {
  private let age: @MainActor () -> Age?
  private let content: (String?) -> Content

  /// Shows how long ago `date` was.
  init(since date: Date, days: DayText, @ViewBuilder content: @escaping (String) -> Content) {
    age = { Age(since: days.now().timeIntervalSince(date)) }
    self.content = { content($0 ?? Age.now) }
  }

  /// Shows how long it is until `date`; the content gets nil once `date` has passed.
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
