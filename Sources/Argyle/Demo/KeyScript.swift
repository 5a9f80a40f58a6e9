import TerminalUI

/// Keys in the order in which they are pressed, with times between them: `@0.8 j j enter`.
struct KeyScript: Equatable {
  enum Step: Equatable {
    /// Waits until a time since the start.
    case time(Duration)
    case key(KeyPress)
    case mouse([MouseEvent])
    case resize(Size)
  }

  enum Failure: Error, Equatable {
    case unknownKey(String)
    case unusablePlace(String)
    case unusableSize(String)
    case unusableTime(String)
    /// A time is earlier than the one before it.
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
      } else if let colon = word.firstIndex(of: ":"), colon != word.startIndex {
        steps.append(try Self.step(word[..<colon], word[word.index(after: colon)...], word))
      } else {
        guard let key = KeyPress(named: word) else { throw .unknownKey(String(word)) }
        steps.append(.key(key))
      }
    }
  }

  /// Parses a step that is not a key: `click:12,3`, `drag:12,3:20,3`, `wheel-up:12,3`,
  /// `wheel-down:12,3`, `size:80x24`.
  private static func step(
    _ name: Substring, _ rest: Substring, _ word: Substring
  ) throws(Failure) -> Step {
    if name == "size" {
      guard let size = Size(typed: String(rest)) else { throw .unusableSize(String(word)) }
      return .resize(size)
    }
    var places: [Point] = []
    for place in rest.split(separator: ":", omittingEmptySubsequences: false) {
      let parts = place.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
      guard parts.count == 2, let column = parts[0], let row = parts[1], 1...500 ~= column,
        1...500 ~= row
      else { throw .unusablePlace(String(word)) }
      places.append(Point(x: column - 1, y: row - 1))
    }
    switch (name, places.count) {
    case ("click", 1):
      return .mouse([MouseEvent(.press, at: places[0]), MouseEvent(.release, at: places[0])])
    case ("drag", 2):
      return .mouse([
        MouseEvent(.press, at: places[0]), MouseEvent(.drag, at: places[1]),
        MouseEvent(.release, at: places[1]),
      ])
    case ("wheel-up", 1): return .mouse([MouseEvent(.wheelUp, at: places[0])])
    case ("wheel-down", 1): return .mouse([MouseEvent(.wheelDown, at: places[0])])
    default: throw .unusablePlace(String(word))
    }
  }

  /// Returns the steps before the first time after `end`.
  func until(_ end: Duration) -> KeyScript {
    var script = KeyScript()
    script.steps = Array(
      steps.prefix { if case .time(let time) = $0 { time <= end } else { true } })
    return script
  }

  /// The last time in the script.
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
        + (KeyPress.names.map(\.name) + ["f1 … f20", "ctrl-x", "alt-x"]).joined(separator: ", ")
        + "."
    case .unusablePlace(let word):
      "“\(printable(word))” is not a place. What the mouse does is click:COLUMN,ROW, "
        + "drag:COLUMN,ROW:COLUMN,ROW, wheel-up:COLUMN,ROW or wheel-down:COLUMN,ROW, counted from 1."
    case .unusableSize(let word):
      "“\(printable(word))” is not a size. A size is size: and columns and rows from 1x1 to 500x500, "
        + "such as size:80x24."
    case .unusableTime(let word):
      "“\(printable(word))” is not a time. A time is @ and seconds from 0 to 3600, such as @0.8."
    case .earlier(let word):
      "“\(printable(word))” is earlier than the time before it."
    }
  }
}

extension Duration {
  /// Parses seconds as the user types them, to the millisecond; nil outside of 0...3600.
  init?(seconds text: some StringProtocol) {
    guard let seconds = Double(text), 0...3600 ~= seconds else { return nil }
    self = .milliseconds(Int((seconds * 1000).rounded()))
  }
}
