/// An answer whose body is still arriving.
///
/// The body can be read once. Once 256 KB of it are unread, the server has to wait.
/// Releasing the stream, or cancelling the task that reads it, ends the transfer.
///
/// ```swift
/// let stream = try await client.stream(request)
/// for try await bytes in stream { parser.push(bytes) }
/// ```
public struct HTTPStream: AsyncSequence, Sendable {
  /// The status and headers.
  public let head: HTTPResponseHead
  let lease: Lease

  /// Returns a reader of the body; several readers share the bytes between them.
  public func makeAsyncIterator() -> Iterator {
    Iterator(lease: lease)
  }

  /// Reads the body.
  public struct Iterator: AsyncIteratorProtocol {
    let lease: Lease

    /// Returns the next bytes of the body, decompressed and never empty; nil at its end.
    ///
    /// - Throws: `HTTPError`, `CancellationError`.
    public mutating func next() async throws -> [UInt8]? {
      let bytes = try await lease.transfer.nextBytes()
      return bytes.isEmpty ? nil : bytes
    }
  }

  /// Shared by everything that may still read.
  ///
  /// Keeps the client running and the permit taken; ends the transfer when it is released.
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
