import Articles
import Foundation

/// Formats dates for lists: without the year if it is this year, as a whole date otherwise.
///
/// The text is calculated here because the first use of a date formatter takes longer than the rest
/// of the program's start.
struct DayText: Sendable {
  /// Seconds east of Greenwich at a date.
  let offset: @Sendable (Date) -> Int
  let now: @Sendable () -> Date

  /// Formats dates in the time zone of the machine.
  static let local = DayText(offset: LocalDays.local.offset, now: { Date() })

  /// Returns `19 Nov` or ` 9 Nov` (padded, so that columns align), or `2025-11-19` for another
  /// year.
  func callAsFunction(_ date: Date) -> String {
    let day = civil(date)
    guard day.year == civil(now()).year else { return full(date) }
    return "\(day.day < 10 ? " " : "")\(day.day) \(Self.months[day.month - 1])"
  }

  /// As wide as a day of this year.
  static let blank = String(repeating: " ", count: 6)

  /// When today began.
  var dayStart: Date { days.start(of: dayNumber(now())) }

  /// Returns a day as a heading: `Today`, `Yesterday`, `Thu 19 Nov`, or `2025-11-19` for another
  /// year.
  ///
  /// A date in the future counts as today, as it does in lists.
  func heading(_ date: Date) -> String {
    let today = dayNumber(now())
    let day = min(dayNumber(date), today)
    if day == today { return "Today" }
    if day == today - 1 { return "Yesterday" }
    guard civil(date).year == civil(now()).year else { return full(date) }
    // 1970-01-01 was a Thursday.
    let weekday = Self.weekdays[((day + 3) % 7 + 7) % 7]
    return "\(weekday) \(civil(date).day) \(Self.months[civil(date).month - 1])"
  }

  private var days: LocalDays { LocalDays(offset: offset) }

  /// Whole days since 1970-01-01.
  private func dayNumber(_ date: Date) -> Int { days.number(of: date) }

  private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

  /// Returns the whole date: `2026-11-19`.
  func full(_ date: Date) -> String {
    let day = civil(date)
    func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(day.year)-\(padded(day.month))-\(padded(day.day))"
  }

  /// Returns when something will happen: `at 14:35`, or `on 2026-11-19` if that is not today.
  func moment(_ date: Date) -> String {
    full(date) == full(now()) ? "at \(minute(date))" : "on \(full(date))"
  }

  /// Returns the end of a wait, for use after "until": `14:35`, or `2026-11-19 02:35` if that is
  /// not today.
  ///
  /// Rounds up to the next minute.
  func end(_ date: Date) -> String {
    point(Date(timeIntervalSince1970: (date.timeIntervalSince1970 / 60).rounded(.up) * 60))
  }

  /// Returns a moment, for use after "since": `14:35`, or `2026-11-19 02:35` if that is not today.
  func point(_ date: Date) -> String {
    full(date) == full(now()) ? minute(date) : "\(full(date)) \(minute(date))"
  }

  /// Returns the time of day: `14:35`.
  private func minute(_ date: Date) -> String {
    let seconds = Int((date.timeIntervalSince1970 + Double(offset(date))).rounded(.down))
    let minutes = (seconds % 86_400 + 86_400) % 86_400 / 60
    let parts = [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
    return parts.joined(separator: ":")
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private func civil(_ date: Date) -> CivilDate { CivilDate(daysSince1970: dayNumber(date)) }
}
