import Foundation

/// A program to start, with arguments in which placeholders stand for what a feed says.
///
/// No shell ever sees them, and nothing of a feed becomes the program or an option of it.
struct OutsideCommand: Hashable, Sendable {
  enum Placeholder: String, CaseIterable {
    case link, title, author, feed
    /// The address of what is enclosed, such as an episode of a podcast.
    case enclosure
    /// The path of the file that this was downloaded to.
    case file
    /// Where it was stopped, in seconds; 0 where that is not known.
    case position
    /// The folder of its own in which a player may leave where it stops.
    case positions
  }

  enum Failure: Error, Equatable {
    /// The article has no such thing.
    case missing(Placeholder)
    /// Only web pages are opened: anything else could start a program of the feed's choosing.
    case notAWebAddress
    /// An argument would begin with a hyphen that comes from the feed.
    case looksLikeOption(String)
  }

  /// As it is: placeholders mean nothing in it.
  let program: String
  /// The arguments as they are written.
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

  /// Whether something of a feed is among the arguments.
  var hasPlaceholders: Bool {
    arguments.joined().contains { if case .placeholder = $0 { true } else { false } }
  }

  /// Whether one of the arguments has a placeholder.
  func has(_ placeholder: Placeholder) -> Bool {
    arguments.joined().contains { $0 == .placeholder(placeholder) }
  }

  /// The arguments for an article.
  ///
  /// Behind an argument `--` a hyphen at the beginning is that of no option.
  func arguments(_ values: [Placeholder: String]) throws(Failure) -> [String] {
    var words: [String] = []
    var areOptionsOver = false
    for pieces in arguments {
      // As the user has written it: what becomes the same by what a feed says does not count.
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
    // A control would end the argument, or be an order to the terminal that a program prints it on.
    return String(
      String.UnicodeScalarView(
        value.unicodeScalars.map { $0.value < 0x20 || 0x7F...0x9F ~= $0.value ? " " : $0 }))
  }

  // MARK: Placeholders

  /// What stands in braces and is no placeholder; nil where there is no such thing.
  static func unknownPlaceholder(in argument: String) -> String? {
    placeholders(in: argument).lazy.map { String($0.dropFirst().dropLast()) }
      .first { Placeholder(rawValue: $0) == nil }
  }

  /// Everything in an argument that looks like a placeholder, with its braces.
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

  /// The words in braces, which have nothing but small letters.
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
