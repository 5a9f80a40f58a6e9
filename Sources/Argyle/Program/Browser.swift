import Foundation
import Pictures

/// Opens links outside the terminal.
struct Browser: Sendable {
  /// The programs to try, best first, each with arguments if need be: `firefox --new-window %s`.
  let candidates: [String]

  enum Failure: Error, Equatable {
    /// Only web pages are opened: anything else could start a program of the feed's choosing.
    case notAWebAddress
    case noBrowser
  }

  /// Starts a browser on `address`.
  ///
  /// - Returns: its process, which has to be waited for.
  func open(_ address: String) throws(Failure) -> pid_t {
    guard Self.isWebAddress(address) else { throw .notAWebAddress }
    for candidate in candidates {
      guard let command = Self.command(candidate),
        let arguments = try? command.arguments([.link: address]),
        let child = try? ChildProcess.start(command.program, arguments)
      else { continue }
      return child
    }
    throw .noBrowser
  }

  /// A program with its arguments, in which `%s` stands for the address, which else comes last; nil for a
  /// text without words.
  ///
  /// The path of a program may have spaces in it, if it has no arguments.
  static func command(_ text: String) -> OutsideCommand? {
    guard !FileManager.default.isExecutableFile(atPath: text) else {
      return OutsideCommand(text, ["{link}"])
    }
    let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    guard let program = words.first else { return nil }
    let arguments = words.dropFirst().map { $0.replacing("%s", with: "{link}") }
    let hasPlace = words.dropFirst().contains { $0.contains("%s") }
    return OutsideCommand(program, arguments + (hasPlace ? [] : ["{link}"]))
  }

  static func isWebAddress(_ address: String) -> Bool {
    // An argument that begins with http is no option, and without blanks and controls one address.
    let lowercased = address.prefix(8).lowercased()
    return (lowercased.hasPrefix("http://") || lowercased.hasPrefix("https://"))
      && address.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
  }
}
