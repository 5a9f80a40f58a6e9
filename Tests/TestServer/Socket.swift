#if canImport(Darwin)
  import Darwin
  private let streamType = SOCK_STREAM
  private let sendFlags: Int32 = 0
#else
  import Glibc
  private let streamType = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
  // A peer that went away is an answer of `send`, not a signal that ends the tests.
  private let sendFlags = Int32(MSG_NOSIGNAL)
#endif

/// The addresses of this machine that a server of the tests can have.
public enum LoopbackHost: UInt32, Sendable {
  case first = 1
  /// For servers that have to be told from each other by their addresses.
  case second

  public var address: String { "127.0.0.\(rawValue)" }
}

/// The system's calls for one TCP socket on the loopback address.
///
/// Blocking, and closed exactly once by its owner.
struct Socket: Sendable {
  let descriptor: Int32

  /// Bound but not listening: its port is ours, and whoever connects to it is refused.
  ///
  /// - Parameter host: of the loopback network.
  init(port: UInt16 = 0, host: LoopbackHost = .first) throws(SocketError) {
    descriptor = socket(AF_INET, streamType, 0)
    guard descriptor >= 0 else { throw SocketError("socket") }
    closeInChildren(descriptor)
    set(SO_REUSEADDR, 1)
    // Lets a second socket have the same port, and with it a server refuse for a while.
    set(SO_REUSEPORT, 1)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = (UInt32(0x7F00_0000) + host.rawValue).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
    }
    guard result == 0 else {
      close()
      throw SocketError("bind")
    }
  }

  private init(descriptor: Int32) {
    self.descriptor = descriptor
    closeInChildren(descriptor)
    set(TCP_NODELAY, 1, level: Int32(IPPROTO_TCP))
    #if canImport(Darwin)
      set(SO_NOSIGPIPE, 1)
    #endif
  }

  var port: UInt16 {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
    }
    return UInt16(bigEndian: address.sin_port)
  }

  func startListening() throws(SocketError) {
    guard listen(descriptor, 64) == 0 else { throw SocketError("listen") }
  }

  /// The next connection; nil when the bell rings.
  func nextConnection(until bell: Bell) -> Socket? {
    while waitUntilReadable([bell.descriptor, descriptor]) == descriptor {
      let connection = accept(descriptor, nil, nil)
      if connection >= 0 { return Socket(descriptor: connection) }
    }
    return nil
  }

  /// What has come; empty when the peer is gone.
  func read() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 16 << 10) { buffer, count in
      var received: Int
      repeat {
        received = recv(descriptor, buffer.baseAddress, buffer.count, 0)
      } while received < 0 && errno == EINTR
      count = max(0, received)
    }
  }

  /// False when the peer is gone.
  func write(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, sendFlags) }
      if sent < 0, errno == EINTR { continue }
      guard sent > 0 else { return false }
      rest = rest.dropFirst(sent)
    }
    return true
  }

  /// Waits for the bell.
  ///
  /// False when the peer goes away before it rings.
  func waitWhileOpen(for bell: Bell) -> Bool {
    while waitUntilReadable([bell.descriptor, descriptor]) == descriptor {
      if read().isEmpty { return false }
    }
    bell.clear()
    return true
  }

  /// Waits.
  ///
  /// False when the peer goes away before the time is over.
  func staysOpen(for milliseconds: UInt32) -> Bool {
    var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&watched, 1, Int32(milliseconds)) == 0 || !read().isEmpty
  }

  /// A connection to a socket of our own, so that it has no place left for another.
  func occupy(_ other: Socket) throws(SocketError) {
    guard listen(other.descriptor, 0) == 0 else { throw SocketError("listen") }
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(other.descriptor, $0, &size) == 0 ? connect(descriptor, $0, size) : -1
      }
    }
    guard result == 0 else { throw SocketError("connect") }
  }

  /// Ends both directions, and every call that blocks on them in another thread.
  func shutDown() {
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  /// Makes `close` a reset: what was sent and not yet read is lost to the peer.
  func resetOnClose() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  func close() {
    closeDescriptor(descriptor)
  }

  private func set(_ option: Int32, _ value: Int32, level: Int32 = SOL_SOCKET) {
    var value = value
    setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }
}

/// A pipe that one thread rings and another polls.
struct Bell: Sendable {
  let descriptor: Int32
  private let ringer: Int32

  init() throws(SocketError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw SocketError("pipe") }
    (descriptor, ringer) = (ends[0], ends[1])
    closeInChildren(descriptor)
    closeInChildren(ringer)
  }

  func ring() {
    _ = write(ringer, [1], 1)
  }

  func clear() {
    var byte: UInt8 = 0
    _ = read(descriptor, &byte, 1)
  }

  func close() {
    closeDescriptor(descriptor)
    closeDescriptor(ringer)
  }
}

/// The first of the descriptors that has something to read, or is at its end.
private func waitUntilReadable(_ descriptors: [Int32]) -> Int32? {
  var watched = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
  while poll(&watched, nfds_t(watched.count), -1) < 0 {
    guard errno == EINTR else { return nil }
  }
  return watched.first { $0.revents != 0 }?.fd
}

/// A program that a test starts must not inherit a connection, or hold a port open.
private func closeInChildren(_ descriptor: Int32) {
  _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
}

private func closeDescriptor(_ descriptor: Int32) {
  close(descriptor)
}

/// A call to the system that failed.
public struct SocketError: Error, CustomStringConvertible {
  public let description: String

  init(_ call: String) {
    description = "\(call): \(String(cString: strerror(errno)))"
  }
}
