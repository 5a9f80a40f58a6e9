import Foundation
import Synchronization

/// Serves documents from memory, on as many addresses of this machine as it is told, and answers
/// conditional requests.
///
/// A thread for each connection waits and does little else.
final class FeedServer: Sendable {
  private struct State {
    var delay = 0.0
    var requests = 0
    var answered = 0
    var served: [String: Int] = [:]
  }

  /// What is there by its path; a document of several versions has changed at each request.
  private let documents: [String: [[UInt8]]]
  private let state = Mutex(State())
  let port: UInt16

  init(_ documents: [String: [[UInt8]]], hosts: Int = 1) throws {
    self.documents = documents
    let first = try Self.listen(host: 0, port: 0)
    port = first.port
    var sockets = [first.socket]
    for host in 1..<max(1, hosts) { sockets.append(try Self.listen(host: host, port: port).socket) }
    for socket in sockets {
      // For as long as the process runs.
      Thread.detachNewThread { [self] in accept(on: socket) }
    }
  }

  func url(_ path: String, host: Int = 0) -> String { "http://127.0.0.\(host + 1):\(port)\(path)" }

  /// How many seconds pass before an answer.
  func setDelay(_ seconds: Double) { state.withLock { $0.delay = seconds } }

  /// Requests that have come, and answers that are out.
  var counts: (requests: Int, answered: Int) { state.withLock { ($0.requests, $0.answered) } }

  // MARK: Connections

  private static func listen(host: Int, port: UInt16) throws -> (socket: Int32, port: UInt16) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var on: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = (0x7F00_0001 + UInt32(host)).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(descriptor, pointer, length) == 0 && Glibc.listen(descriptor, 1024) == 0
          && getsockname(descriptor, pointer, &length) == 0
      }
    }
    guard isListening else { throw HarnessError.system("listening", errno) }
    return (descriptor, UInt16(bigEndian: address.sin_port))
  }

  private func accept(on listener: Int32) {
    while true {
      let connection = Glibc.accept(listener, nil, nil)
      guard connection >= 0 else { continue }
      _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
      var on: Int32 = 1
      setsockopt(
        connection, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
      Thread.detachNewThread { [self] in
        serve(connection)
        close(connection)
      }
    }
  }

  private func serve(_ connection: Int32) {
    let end = Array("\r\n\r\n".utf8)
    var unread: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16_384)
    while true {
      while let range = unread.firstRange(of: end) {
        let head = String(decoding: unread[..<range.lowerBound], as: UTF8.self)
        unread.removeSubrange(..<range.upperBound)
        let delay = state.withLock { state in
          state.requests += 1
          return state.delay
        }
        if delay > 0 { Thread.sleep(forTimeInterval: delay) }
        guard send(answer(to: head), on: connection) else { return }
        state.withLock { $0.answered += 1 }
      }
      let count = read(connection, &chunk, chunk.count)
      guard count > 0 else { return }
      unread += chunk[..<count]
    }
  }

  private func answer(to head: String) -> [UInt8] {
    let lines = head.split(separator: "\r\n")
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count == 3, let versions = documents[String(words[1])] else {
      return Array("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".utf8)
    }
    let version = state.withLock { state in
      defer { state.served[String(words[1]), default: 0] += 1 }
      return state.served[String(words[1]), default: 0] % versions.count
    }
    let tag = "\"\(version)\""
    if lines.contains(where: { $0.lowercased() == "if-none-match: \(tag)" }) {
      return Array("HTTP/1.1 304 Not Modified\r\nETag: \(tag)\r\n\r\n".utf8)
    }
    let body = versions[version]
    return Array(
      "HTTP/1.1 200 OK\r\nContent-Type: application/rss+xml\r\nETag: \(tag)\r\nContent-Length: \(body.count)\r\n\r\n"
        .utf8) + body
  }

  private func send(_ bytes: [UInt8], on connection: Int32) -> Bool {
    var sent = 0
    return bytes.withUnsafeBytes { bytes in
      while sent < bytes.count {
        let count = Glibc.send(
          connection, bytes.baseAddress?.advanced(by: sent), bytes.count - sent,
          Int32(MSG_NOSIGNAL))
        guard count > 0 else { return false }
        sent += count
      }
      return true
    }
  }
}
