import Foundation

/// Formats dates for lists: the day if it is in this year, the whole date otherwise.
///
/// The text is calculated here because the first use of a date formatter takes longer than the rest
/// of the program's start.
struct DayText: Sendable {
  /// Seconds east of Greenwich at a date.
  let offset: @Sendable (Date) -> Int
  let now: @Sendable () -> Date

  /// Formats dates in the time zone of the machine.
  static let local = DayText(offset: Self.localOffset, now: { Date() })

  /// Returns `19 Nov` or ` 9 Nov` (padded, so that columns align), or `2025-11-19` for another
  /// year.
  func callAsFunction(_ date: Date) -> String {
    let day = civil(date)
    guard day.year == civil(now()).year else { return full(date) }
    return "\(day.day < 10 ? " " : "")\(day.day) \(Self.months[day.month - 1])"
  }

  /// When today began.
  ///
  /// If the clocks changed today, the day began with another offset than now's; where they change
  /// at midnight, a day can begin twice, or at one o'clock.
  var dayStart: Date {
    let now = now()
    let local = now.timeIntervalSince1970 + Double(offset(now))
    let midnight = (local / 86_400).rounded(.down) * 86_400
    let offsets = [-86_400, 0].map { offset(now.addingTimeInterval($0)) }
    let starts = offsets.map { Date(timeIntervalSince1970: midnight - Double($0)) }
    let ofThisDay = starts.filter {
      $0.timeIntervalSince1970 + Double(offset($0)) >= midnight
    }
    return ofThisDay.min() ?? now
  }

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

  /// Whole days since 1970-01-01.
  private func dayNumber(_ date: Date) -> Int {
    Int((Double(time_t(clamping: date) + offset(date)) / 86_400).rounded(.down))
  }

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

  private static func localOffset(_ date: Date) -> Int {
    var time = time_t(clamping: date)
    var parts = tm()
    localtime_r(&time, &parts)
    return parts.tm_gmtoff
  }

  // Converts days since 1970-01-01 to the Gregorian calendar, in eras of 400 years.
  private func civil(_ date: Date) -> (year: Int, month: Int, day: Int) {
    let days = dayNumber(date) + 719_468
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    let dayOfEra = days - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1
    )
  }
}

extension time_t {
  // A feed may give the year 10^300, and a conversion that traps would let it crash the program.
  fileprivate init(clamping date: Date) {
    let limit = 253_402_300_799.0
    self = time_t(Swift.max(-limit, Swift.min(limit, date.timeIntervalSince1970)))
  }
}
