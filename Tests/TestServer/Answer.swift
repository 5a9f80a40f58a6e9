/// What the server does when a request comes: a script of steps, run in order.
///
/// When the steps are done the connection stays open for the next request.
///
/// ```swift
/// server["/feed"] = .whole(feed, headers: ["ETag": "\"1\""])
/// server["/slow"] = .heldBody(feed)   // half of it, then nothing until server.release("/slow")
/// ```
public struct Answer: Sendable {
  public enum Step: Sendable {
    case send([UInt8])
    /// A byte at a time with a pause after each, as a server does that wants to keep us for ever.
    case trickle([UInt8], milliseconds: UInt32)
    /// Until the client goes away.
    case sendForever([UInt8])
    /// Nothing, until the test releases the path once, or the client goes away.
    case hold
    case close
    /// Closes with a TCP reset.
    case reset
  }

  public var steps: [Step]

  public init(_ steps: [Step]) {
    self.steps = steps
  }

  // MARK: Whole answers

  public static func whole(
    _ body: some Sequence<UInt8>, status: Int = 200, headers: [String: String] = [:]
  ) -> Answer {
    let body = Array(body)
    return Answer([.send(head(status, headers, length: body.count) + body)])
  }

  public static func whole(
    _ body: String, status: Int = 200, headers: [String: String] = [:]
  ) -> Answer {
    whole(body.utf8, status: status, headers: headers)
  }

  public static func redirect(to location: String, status: Int = 302) -> Answer {
    whole("", status: status, headers: ["Location": location])
  }

  /// With `Content-Encoding: gzip`.
  public static func gzipped(_ body: String, headers: [String: String] = [:]) -> Answer {
    whole(
      Gzip.stored(Array(body.utf8)),
      headers: headers.merging(["Content-Encoding": "gzip"]) { _, new in new })
  }

  /// At least `count` zero bytes, in about a 160th of that on the wire.
  public static func gzipBomb(
    _ count: Int, status: Int = 200, headers: [String: String] = [:]
  ) -> Answer {
    whole(
      Gzip.zeros(atLeast: count), status: status,
      headers: headers.merging(["Content-Encoding": "gzip"]) { _, new in new })
  }

  /// With `Transfer-Encoding: chunked`, a chunk a piece.
  public static func chunked(_ pieces: [String]) -> Answer {
    Answer([.send(chunkedHead + pieces.flatMap(chunk) + Array("0\r\n\r\n".utf8))])
  }

  /// A body without a length, ended by the end of the connection.
  public static func unmeasured(_ body: String) -> Answer {
    Answer([.send(head(200, [:], length: nil) + Array(body.utf8)), .close])
  }

  // MARK: Slow ones

  /// Nothing until released.
  public static func heldHead(_ body: String) -> Answer {
    Answer([.hold] + whole(body).steps)
  }

  /// The headers and half of the body, the rest when released.
  public static func heldBody(_ body: String) -> Answer {
    let (first, second) = halves(body)
    return Answer([.send(first), .hold, .send(second)])
  }

  /// The headers, then `size` bytes of the body with each release.
  public static func drip(_ body: String, size: Int) -> Answer {
    let body = Array(body.utf8)
    var steps: [Step] = [.send(head(200, [:], length: body.count))]
    for start in stride(from: 0, to: body.count, by: size) {
      steps += [.hold, .send(Array(body[start..<min(start + size, body.count)]))]
    }
    return Answer(steps)
  }

  /// The headers at once, and then a byte in every `milliseconds`.
  public static func trickle(_ body: String, milliseconds: UInt32) -> Answer {
    let body = Array(body.utf8)
    return Answer([
      .send(head(200, [:], length: body.count)), .trickle(body, milliseconds: milliseconds),
    ])
  }

  /// With a length that is not the body's.
  public static func mismeasured(_ body: String, length: String) -> Answer {
    raw("HTTP/1.1 200 Scripted\r\nContent-Length: \(length)\r\n\r\n" + body)
  }

  /// The same bytes again and again, without a length.
  public static func endless(
    _ bytes: String = "endless ", status: Int = 200, headers: [String: String] = [:]
  ) -> Answer {
    let piece = [[UInt8]](repeating: Array(bytes.utf8), count: max(1, 16_384 / bytes.utf8.count))
    return Answer([.send(head(status, headers, length: nil)), .sendForever(piece.flatMap(\.self))])
  }

  // MARK: Broken ones

  /// Half of what `Content-Length` promises, then the end of the connection.
  public static func cut(_ body: String) -> Answer {
    Answer([.send(halves(body).0), .close])
  }

  /// One chunk, then the end of the connection in place of the last.
  public static func cutChunked(_ body: String) -> Answer {
    Answer([.send(chunkedHead + chunk(body)), .close])
  }

  /// Half of the body, then a reset once released: what was sent has been read by then, or not.
  public static func resetInBody(_ body: String) -> Answer {
    Answer([.send(halves(body).0), .hold, .reset])
  }

  /// A reset in place of an answer.
  public static let reset = Answer([.reset])

  /// The end of the connection in place of an answer.
  public static let empty = Answer([.close])

  /// Anything at all, HTTP or not, then the end of the connection.
  public static func raw(_ bytes: String) -> Answer {
    Answer([.send(Array(bytes.utf8)), .close])
  }

  // MARK: Pieces

  private static func head(
    _ status: Int, _ headers: [String: String], length: Int?
  ) -> [UInt8] {
    var lines = ["HTTP/1.1 \(status) Scripted"]
    lines += headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    if let length, status != 304 { lines.append("Content-Length: \(length)") }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }

  private static var chunkedHead: [UInt8] {
    head(200, ["Transfer-Encoding": "chunked"], length: nil)
  }

  private static func chunk(_ piece: String) -> [UInt8] {
    let bytes = Array(piece.utf8)
    return Array((String(bytes.count, radix: 16) + "\r\n").utf8) + bytes + Array("\r\n".utf8)
  }

  private static func halves(_ body: String) -> ([UInt8], [UInt8]) {
    let bytes = Array(body.utf8)
    let middle = bytes.count / 2
    return (head(200, [:], length: bytes.count) + bytes[..<middle], Array(bytes[middle...]))
  }
}
