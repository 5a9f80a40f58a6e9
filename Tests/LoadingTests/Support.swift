import Loading

/// An error that says what it is told to.
struct Broken: Error, Equatable, CustomStringConvertible {
  let description: String

  init(_ description: String = "broken") {
    self.description = description
  }
}

extension AnyClock.Instant {
  static func ms(_ milliseconds: Int) -> AnyClock.Instant {
    AnyClock.Instant(offset: .milliseconds(milliseconds))
  }
}
