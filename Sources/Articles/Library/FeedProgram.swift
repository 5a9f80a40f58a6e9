/// A program that writes a feed; the user's configuration defines it under a name.
public struct FeedProgram: Sendable, Hashable {
  /// The program and its arguments; they are not passed through a shell.
  public let command: [String]
  /// How long it may run.
  public let time: Duration

  public init(command: [String], time: Duration = .seconds(30)) {
    self.command = command
    self.time = time
  }

  /// Whether a text can be the name of a program, which is part of a feed's address.
  public static func isName(_ text: String) -> Bool {
    1...60 ~= text.utf8.count
      && text.unicodeScalars.allSatisfy {
        $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil)
          || $0 == "-" || $0 == "_"
      }
  }
}

/// The address of a feed that a program writes: `exec:NAME`, or `filter:NAME:URL` for a program
/// that converts a server's answer.
///
/// Only the user can add such a feed, and only programs defined in the configuration are run: the
/// address contains no command.
struct ProgramAddress: Sendable, Hashable {
  let name: String
  /// The address of the program's input; nil if it reads none.
  let source: String?

  /// Parses an address; nil for any other kind of address.
  init?(_ text: String) {
    let text = text.trimmingWhiteSpace()
    let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      .map(String.init)
    guard parts.count > 1, FeedProgram.isName(parts[1]) else { return nil }
    switch (parts[0].lowercased(), parts.count) {
    case ("exec", 2): (name, source) = (parts[1], nil)
    case ("filter", 3):
      // A password would be visible wherever the address is shown.
      guard let address = WebAddress.web(parts[2]),
        WebAddress.Parts(address).authority?.contains("@") == false
      else { return nil }
      (name, source) = (parts[1], address)
    default: return nil
    }
  }

  var text: String { source.map { "filter:\(name):\($0)" } ?? "exec:\(name)" }
}
