/// One client's connection, served by a thread of its own: reads requests and runs their scripts
/// until either side has had enough.
struct Connection: Sendable {
  let id: Int
  let socket: Socket
  let bell: Bell
  let stage: Stage

  func serve() {
    var unread: [UInt8] = []
    while let request = nextRequest(&unread) {
      stage.journal.write { $0.requests.append(request) }
      switch run(stage.answer(to: request), for: request.path) {
      case .finished: continue
      case .closed: break
      case .abandoned: stage.journal.write { $0.abandoned.append(request.path) }
      }
      break
    }
    stage.dismiss(self)
  }

  private enum Outcome { case finished, closed, abandoned }

  private func run(_ answer: Answer, for path: String) -> Outcome {
    for step in answer.steps {
      switch step {
      case .send(let bytes):
        guard socket.write(bytes) else { return .abandoned }
      case .trickle(let bytes, let milliseconds):
        for byte in bytes {
          guard socket.write([byte]), socket.staysOpen(for: milliseconds) else {
            return .abandoned
          }
        }
      case .sendForever(let bytes):
        while socket.write(bytes) {}
        return .abandoned
      case .hold:
        guard stage.hold(self, at: path) else { return .abandoned }
      case .close:
        return .closed
      case .reset:
        socket.resetOnClose()
        return .closed
      }
    }
    return .finished
  }

  /// How every TLS connection begins.
  private static let handshake: UInt8 = 0x16

  private func nextRequest(_ unread: inout [UInt8]) -> RecordedRequest? {
    let end = Array("\r\n\r\n".utf8)
    while true {
      if unread.first == Self.handshake {
        unread = []
        return RecordedRequest(
          method: "TLS", target: TestServer.tlsHello, headers: [], connection: id)
      }
      if let range = unread.firstRange(of: end) {
        let head = String(decoding: unread[..<range.lowerBound], as: UTF8.self)
        unread.removeSubrange(..<range.upperBound)
        guard var request = parse(head) else { return nil }
        let size = request["Content-Length"].flatMap { Int($0) } ?? 0
        while unread.count < size {
          guard receive(&unread) else { return nil }
        }
        request.body = Array(unread.prefix(size))
        unread.removeFirst(size)
        return request
      }
      guard receive(&unread) else { return nil }
    }
  }

  /// False at the end of the connection.
  private func receive(_ unread: inout [UInt8]) -> Bool {
    let bytes = socket.read()
    unread += bytes
    return !bytes.isEmpty
  }

  private func parse(_ head: String) -> RecordedRequest? {
    let lines = head.split(separator: "\r\n")
    guard let words = lines.first?.split(separator: " "), words.count == 3 else { return nil }
    let headers = lines.dropFirst().map { line in
      let name = line.prefix { $0 != ":" }
      let value = line.dropFirst(name.count + 1).drop { $0 == " " }
      return (name: String(name), value: String(value))
    }
    return RecordedRequest(
      method: String(words[0]), target: String(words[1]), headers: headers, connection: id)
  }
}
