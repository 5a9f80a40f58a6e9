import Foundation

/// Parses times that users type.
public enum TypedTime {
  /// Parses a day, such as `2026-11-19`, `today` or `yesterday`, as its beginning; nil for anything
  /// else.
  public static func day(
    _ text: String, now: Date = Date(), days: LocalDays = .local
  ) -> Date? {
    number(text, now: now, days: days).map(days.start)
  }

  /// Parses a day as its number in `days`.
  static func number(_ text: String, now: Date, days: LocalDays) -> Int? {
    switch text.lowercased() {
    case "today": return days.number(of: now)
    case "yesterday": return days.number(of: now) - 1
    default: break
    }
    let numbers = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 3, let year = numbers[0], let month = numbers[1], let day = numbers[2]
    else { return nil }
    return CivilDate.daysSince1970(validYear: year, month: month, day: day)
  }

  /// Parses a day, or a time span before now; nil for anything else.
  public static func date(
    _ text: String, now: Date = Date(), days: LocalDays = .local
  ) -> Date? {
    day(text, now: now, days: days)
      ?? span(text).map { now.addingTimeInterval(-$0) }
  }

  /// Parses `12h`, `7d`, `2w` or `1y` as seconds; nil for anything else.
  public static func span(_ text: String) -> TimeInterval? {
    guard let number = Int(text.dropLast()), 0...100_000 ~= number else { return nil }
    let unit: Double
    switch text.last {
    case "h": unit = 3_600
    case "d": unit = 86_400
    case "w": unit = 7 * 86_400
    case "y": unit = 365.25 * 86_400
    default: return nil
    }
    return Double(number) * unit
  }
}
