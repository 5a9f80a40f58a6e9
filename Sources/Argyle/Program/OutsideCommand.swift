import Foundation

/// A program to start, with arguments in which placeholders stand for values from a feed.
///
/// It is started without a shell, and no value from a feed becomes the program or an option of it.
struct OutsideCommand: Hashable, Sendable {
  enum Placeholder: String, CaseIterable {
    case link, title, author, feed
    /// The address of the enclosed file, such as an episode of a podcast.
    case enclosure
    /// The path of the downloaded enclosed file.
    case file
    /// Where playback stopped, in seconds; 0 if that is not known.
    case position
    /// The episode's own folder, in which a player may store where it stops.
    case positions
  }

  enum Failure: Error, Equatable {
    /// The article has no value for the placeholder.
    case missing(Placeholder)
    /// Only web addresses are opened: anything else would let a feed start a program of its choice.
    case notAWebAddress
    /// An argument would begin with a hyphen that comes from the feed.
    case looksLikeOption(String)
  }

  /// The program to start; placeholders in it are not replaced.
  let program: String
  /// The arguments as they were written, with placeholders.
  let templates: [String]
  private let arguments: [[Piece]]

  private enum Piece: Hashable {
    case text(String)
    case placeholder(Placeholder)
  }

  /// - Parameter arguments: with placeholders such as `{link}`.
  init(_ program: String, _ arguments: [String]) {
    self.program = program
    templates = arguments
    self.arguments = arguments.map(Self.pieces)
  }

  /// Whether an argument contains a placeholder.
  var hasPlaceholders: Bool {
    arguments.joined().contains { if case .placeholder = $0 { true } else { false } }
  }

  /// Whether an argument contains this placeholder.
  func has(_ placeholder: Placeholder) -> Bool {
    arguments.joined().contains { $0 == .placeholder(placeholder) }
  }

  /// Returns the arguments for an article.
  ///
  /// After an argument `--`, a value may begin with a hyphen: it cannot be an option.
  func arguments(_ values: [Placeholder: String]) throws(Failure) -> [String] {
    var words: [String] = []
    var areOptionsOver = false
    for pieces in arguments {
      // Only a `--` that the user wrote counts, not an argument that becomes `--` through a feed's
      // value.
      areOptionsOver = areOptionsOver || pieces == [.text("--")]
      var word = ""
      for piece in pieces {
        switch piece {
        case .text(let text): word += text
        case .placeholder(let placeholder): word += try Self.value(of: placeholder, values)
        }
      }
      if case .placeholder? = pieces.first, word.hasPrefix("-"), !areOptionsOver {
        throw .looksLikeOption(word)
      }
      words.append(word)
    }
    return words
  }

  private static func value(
    of placeholder: Placeholder, _ values: [Placeholder: String]
  ) throws(Failure) -> String {
    guard let value = values[placeholder], !value.isEmpty else { throw .missing(placeholder) }
    if placeholder == .link || placeholder == .enclosure, !Browser.isWebAddress(value) {
      throw .notAWebAddress
    }
    // A control character could end the argument, or control the terminal on which the program
    // prints it.
    return String(
      String.UnicodeScalarView(
        value.unicodeScalars.map { $0.value < 0x20 || 0x7F...0x9F ~= $0.value ? " " : $0 }))
  }

  // MARK: Placeholders

  /// Returns the first word in braces that is not a placeholder; nil if there is none.
  static func unknownPlaceholder(in argument: String) -> String? {
    placeholders(in: argument).lazy.map { String($0.dropFirst().dropLast()) }
      .first { Placeholder(rawValue: $0) == nil }
  }

  /// Returns everything in an argument that looks like a placeholder, with its braces.
  static func placeholders(in argument: String) -> [String] {
    braces(in: argument).map { String(argument[$0]) }
  }

  private static func pieces(of argument: String) -> [Piece] {
    var pieces: [Piece] = []
    var end = argument.startIndex
    for range in braces(in: argument) {
      guard let placeholder = Placeholder(rawValue: String(argument[range].dropFirst().dropLast()))
      else { continue }
      if end < range.lowerBound { pieces.append(.text(String(argument[end..<range.lowerBound]))) }
      pieces.append(.placeholder(placeholder))
      end = range.upperBound
    }
    if end < argument.endIndex || pieces.isEmpty { pieces.append(.text(String(argument[end...]))) }
    return pieces
  }

  /// The ranges of words in braces that consist of lowercase letters only.
  private static func braces(in argument: String) -> [Range<String.Index>] {
    var ranges: [Range<String.Index>] = []
    var start: String.Index?
    for index in argument.indices {
      switch argument[index] {
      case "{": start = index
      case "a"..."z": break
      case "}":
        if let begin = start, argument.index(after: begin) < index {
          ranges.append(begin..<argument.index(after: index))
        }
        start = nil
      default: start = nil
      }
    }
    return ranges
  }
}
