import Foundation
import Pictures

/// Opens links outside the terminal.
struct Browser: Sendable {
  /// The programs to try, best first.
  let candidates: [String]

  enum Failure: Error, Equatable {
    /// Only web pages are opened: anything else could start a program of the feed's choosing.
    case notAWebAddress
    case noBrowser
  }

  /// Starts a browser on `address`.
  func open(_ address: String) throws(Failure) {
    guard Self.isWebAddress(address) else { throw .notAWebAddress }
    for candidate in candidates {
      let command = OutsideCommand(candidate, ["{link}"])
      guard let arguments = try? command.arguments([.link: address]),
        let child = try? ChildProcess.start(candidate, arguments)
      else { continue }
      Task { await ChildProcess.end(of: child) }
      return
    }
    throw .noBrowser
  }

  static func isWebAddress(_ address: String) -> Bool {
    // An argument that begins with http is no option, and without blanks and controls one address.
    let lowercased = address.prefix(8).lowercased()
    return (lowercased.hasPrefix("http://") || lowercased.hasPrefix("https://"))
      && address.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
  }
}
