import Foundation

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
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    // The screen is ours: a browser that talks must not write on it, and Ctrl-C is not for it.
    for descriptor: Int32 in 0...2 {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
    }
    // What we ignore and block, to handle it ourselves, a child would inherit for good.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var process = pid_t()
    let arguments: [UnsafeMutablePointer<CChar>?] = [strdup(program), strdup(address)]
    defer { arguments.forEach { free($0) } }
    guard
      posix_spawnp(&process, program, &actions, &attributes, arguments + [nil], environ) == 0
    else { return false }
    let child = process
    // Not on a queue of the system's pool, which from then on would wake the process every second.
    DispatchQueue(label: "browser", qos: .utility).async {
      var status: Int32 = 0
      waitpid(child, &status, 0)
    }
    return true
  }
}
