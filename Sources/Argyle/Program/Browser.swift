import Foundation
import Pictures

/// Opens links outside the terminal.
struct Browser: Sendable {
  /// The programs to try, best first, each with optional arguments: `firefox --new-window %s`.
  let candidates: [String]

  enum Failure: Error, Equatable {
    /// Only web addresses are opened: anything else would let a feed start a program of its choice.
    case notAWebAddress
    case noBrowser
  }

  /// Starts a browser on `address`.
  ///
  /// Runs off the main actor: programs are looked for in the folders of `PATH`, which may be on a
  /// slow network disk.
  ///
  /// - Returns: the browser and its process; the caller has to wait for it.
  @concurrent
  func open(_ address: String) async throws(Failure) -> (program: String, child: pid_t) {
    guard Self.isWebAddress(address) else { throw .notAWebAddress }
    for candidate in candidates {
      guard let command = Self.command(candidate),
        let arguments = try? command.arguments([.link: address]),
        let child = try? ChildProcess.start(command.program, arguments)
      else { continue }
      return (command.program, child)
    }
    throw .noBrowser
  }

  /// Splits the text into a program and its arguments; nil for a text without words.
  ///
  /// `%s` stands for the address; without it, the address becomes the last argument. The path of a
  /// program without arguments may contain spaces.
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
    // An argument that begins with http cannot be an option, and one without blanks and control
    // characters is a single address.
    let lowercased = address.prefix(8).lowercased()
    return (lowercased.hasPrefix("http://") || lowercased.hasPrefix("https://"))
      && address.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
  }
}
