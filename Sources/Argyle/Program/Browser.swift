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
  ///
  /// The address is one argument; no shell ever sees it.
  func open(_ address: String) throws(Failure) {
    guard Self.isWebAddress(address) else { throw .notAWebAddress }
    for candidate in candidates where start(candidate, address) { return }
    throw .noBrowser
  }

  static func isWebAddress(_ address: String) -> Bool {
    // An argument that begins with http is no option, and without blanks and controls one address.
    let lowercased = address.prefix(8).lowercased()
    return (lowercased.hasPrefix("http://") || lowercased.hasPrefix("https://"))
      && address.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
  }

  private func start(_ program: String, _ address: String) -> Bool {
    guard let child = try? ChildProcess.start(program, [address]) else { return false }
    // Not on a queue of the system's pool, which from then on would wake the process every second.
    DispatchQueue(label: "browser", qos: .utility).async {
      var status: Int32 = 0
      waitpid(child, &status, 0)
    }
    return true
  }
}
