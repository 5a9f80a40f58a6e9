import Foundation

/// The hours of a day in which nothing is fetched automatically: `22:00-07:00`.
struct QuietHours: Hashable, Sendable {
  /// Start and end in minutes of the day; an end before the start is on the next day.
  let start: Int
  let end: Int

  private static let day = 24 * 60

  /// Reads two different times of a day; nil for anything else.
  init?(_ text: String) {
    let times = text.split(separator: "-", omittingEmptySubsequences: false).map(Self.minutes)
    guard times.count == 2, let start = times[0], let end = times[1], start != end else {
      return nil
    }
    (self.start, self.end) = (start, end)
  }

  private static func minutes(_ text: Substring) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, (1...2).contains(parts[0].count), parts[1].count == 2,
      parts.allSatisfy({ $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }),
      let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
    else { return nil }
    return hour * 60 + minute
  }

  var text: String { "\(Self.text(start))-\(Self.text(end))" }

  private static func text(_ minutes: Int) -> String {
    [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }

  /// Returns the end of the quiet hours that contain a moment; nil if none do.
  ///
  /// - Parameter offset: returns seconds east of Greenwich at a date; it may change during the
  ///   quiet hours.
  func end(around date: Date, _ offset: (Date) -> Int) -> Date? {
    let local = (date.timeIntervalSince1970 + Double(offset(date))).rounded(.down)
    let second = local - (local / 86_400).rounded(.down) * 86_400
    let minute = Int(second) / 60
    let isQuiet = start < end ? start..<end ~= minute : minute >= start || minute < end
    guard isQuiet else { return nil }
    let left =
      Double((end - minute + Self.day) % Self.day * 60)
      - second.truncatingRemainder(
        dividingBy: 60)
    let end = date.addingTimeInterval(left)
    // Corrects the end if the clocks change during the quiet hours.
    return end.addingTimeInterval(Double(offset(date) - offset(end)))
  }
}

extension SettingKind<QuietHours?> {
  static let hours = SettingKind(
    wanted: "it must be two times of a day, such as \"22:00-07:00\", or empty for none",
    read: { content in
      guard let text = content.text else { return nil }
      if text.isEmpty { return .some(nil) }
      return QuietHours(text).map { .some($0) }
    }, write: { ($0?.text ?? "").toml })
}
