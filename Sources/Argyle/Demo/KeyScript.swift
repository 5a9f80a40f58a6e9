import TerminalUI

/// Keys in the order in which they are pressed, and the times before them: `@0.8 j j enter`.
struct KeyScript: Equatable {
  enum Step: Equatable {
    /// The clock runs to a time after the beginning.
    case time(Duration)
    case key(KeyPress)
  }

  enum Failure: Error, Equatable {
    case unknownKey(String)
    case unusableTime(String)
    /// Time does not go backwards.
    case earlier(String)
  }

  private(set) var steps: [Step] = []

  init() {}

  init(_ text: String) throws(Failure) {
    var last = Duration.zero
    for word in text.split(whereSeparator: \.isWhitespace) {
      if word.first == "@", word.count > 1 {
        guard let time = Duration(seconds: word.dropFirst()) else {
          throw .unusableTime(String(word))
        }
        guard time >= last else { throw .earlier(String(word)) }
        last = time
        steps.append(.time(time))
      } else {
        guard let key = KeyPress(named: word) else { throw .unknownKey(String(word)) }
        steps.append(.key(key))
      }
    }
  }

  /// What of it is pressed until `end`.
  func until(_ end: Duration) -> KeyScript {
    var script = KeyScript()
    script.steps = Array(
      steps.prefix { if case .time(let time) = $0 { time <= end } else { true } })
    return script
  }

  /// The last time that it names.
  var end: Duration {
    steps.reduce(.zero) { end, step in
      if case .time(let time) = step { time } else { end }
    }
  }
}

extension KeyScript.Failure: CustomStringConvertible {
  var description: String {
    switch self {
    case .unknownKey(let word):
      "Unknown key “\(printable(word))”. A key is a character or one of: "
        + (KeyPress.names.map(\.name) + ["f1 … f12", "ctrl-x", "alt-x"]).joined(separator: ", ")
        + "."
    case .unusableTime(let word):
      "“\(printable(word))” is not a time. A time is @ and seconds from 0 to 3600, such as @0.8."
    case .earlier(let word):
      "“\(printable(word))” is earlier than the time before it."
    }
  }
}

extension Duration {
  /// Seconds as they are typed, to the millisecond; nil for anything outside of 0...3600.
  init?(seconds text: some StringProtocol) {
    guard let seconds = Double(text), 0...3600 ~= seconds else { return nil }
    self = .milliseconds(Int((seconds * 1000).rounded()))
  }
}
