public import Foundation

/// A day of the Gregorian calendar.
///
/// The release is linked without the tables that Foundation's `Calendar` needs, and its first use
/// would take longer than the rest of the program's start.
public struct CivilDate: Sendable {
  public let year: Int
  /// From 1 for January.
  public let month: Int
  /// From 1.
  public let day: Int

  /// Makes the date from whole days since 1970-01-01, which are negative before it.
  public init(daysSince1970: Int) {
    // Counts in eras of 400 years, whose years begin in March, so that leap days come last.
    let days = daysSince1970 + 719_468
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    let dayOfEra = days - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    month = shifted < 10 ? shifted + 3 : shifted - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    day = dayOfYear - (153 * shifted + 2) / 5 + 1
  }

  /// Whole days from 1970-01-01 to a date; nil if there is no such date, as for 30 February.
  static func daysSince1970(validYear year: Int, month: Int, day: Int) -> Int? {
    guard 1...9_999 ~= year, 1...12 ~= month, 1...31 ~= day else { return nil }
    let days = daysSince1970(year, month, day)
    return CivilDate(daysSince1970: days).month == month ? days : nil
  }

  /// Whole days from 1970-01-01 to a date, in which a day after the end of its month is one of the
  /// next month.
  static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}

/// The days of a time zone, numbered from 0 for 1970-01-01.
public struct LocalDays: Sendable {
  /// Seconds east of Greenwich at a date.
  public let offset: @Sendable (Date) -> Int

  public init(offset: @escaping @Sendable (Date) -> Int) { self.offset = offset }

  /// The days in the time zone of the machine.
  public static let local = LocalDays { date in
    var time = time_t(clamping: date)
    var parts = tm()
    localtime_r(&time, &parts)
    return parts.tm_gmtoff
  }

  /// The number of the day that a date is in.
  public func number(of date: Date) -> Int {
    Int((Double(time_t(clamping: date) + offset(date)) / 86_400).rounded(.down))
  }

  /// When a day begins.
  ///
  /// If the clocks change on that day, it can begin with another offset than it has at noon. Where
  /// they change at midnight, a day can begin twice, or at one o'clock.
  public func start(of number: Int) -> Date {
    let midnight = Double(number) * 86_400
    let starts = [-86_400, 0, 86_400].map { around in
      let date = Date(timeIntervalSince1970: midnight + around)
      return Date(timeIntervalSince1970: midnight - Double(offset(date)))
    }
    let ofThisDay = starts.filter {
      $0.timeIntervalSince1970 + Double(offset($0)) >= midnight
    }
    return ofThisDay.min() ?? starts[1]
  }
}

extension time_t {
  // A feed may give the year 10^300, and a conversion that traps would let it crash the program.
  fileprivate init(clamping date: Date) {
    let limit = 253_402_300_799.0
    self = time_t(Swift.max(-limit, Swift.min(limit, date.timeIntervalSince1970)))
  }
}
