/// An answer whose body is still coming.
///
/// The body can be read once. While nobody reads, the server is made to wait; a stream that is
/// dropped, or whose reading task is cancelled, ends its transfer.
///
/// ```swift
/// let stream = try await client.stream(request)
/// for try await bytes in stream { parser.push(bytes) }
/// ```
public struct HTTPStream: AsyncSequence, Sendable {
  /// Everything but the body.
  public let head: HTTPResponseHead
  let lease: Lease

  /// The body's reader; several of them share the bytes between them.
  public func makeAsyncIterator() -> Iterator {
    Iterator(lease: lease)
  }

  /// Reads the body.
  public struct Iterator: AsyncIteratorProtocol {
    let lease: Lease

    /// The next bytes of the body, decompressed, never empty; nil at its end.
    /// - Throws: `HTTPError`, `CancellationError`.
    public mutating func next() async throws -> [UInt8]? {
      let bytes = try await lease.transfer.nextBytes()
      return bytes.isEmpty ? nil : bytes
    }
  }

  /// Held by everyone who may still read.
  ///
  /// Keeps the client at work and the place taken; ends the transfer when the last one is gone.
  final class Lease: Sendable {
    let transfer: Transfer
    private let client: HTTPClient

    init(_ transfer: Transfer, client: HTTPClient) {
      self.transfer = transfer
      self.client = client
    }

    deinit {
      transfer.release()
    }
  }
}
