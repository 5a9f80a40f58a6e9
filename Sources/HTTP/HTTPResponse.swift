/// The answer before its body: what is known as soon as the headers are in.
public struct HTTPResponseHead: Sendable, Equatable {
  /// The status code as the server sent it.
  ///
  /// No status is an error at this level.
  public var status: Int

  public var headers: HTTPHeaders

  /// The address that answered, after every redirect.
  public var finalURL: String

  /// There was a redirect, and each of them was permanent (301 or 308): the address that was asked
  /// may be replaced with `finalURL` for good.
  public var isMovedPermanently: Bool

  public init(
    status: Int, headers: HTTPHeaders = [:], finalURL: String, isMovedPermanently: Bool = false
  ) {
    self.status = status
    self.headers = headers
    self.finalURL = finalURL
    self.isMovedPermanently = isMovedPermanently
  }
}

/// A whole answer.
@dynamicMemberLookup
public struct HTTPResponse: Sendable, Equatable {
  public var head: HTTPResponseHead

  /// The body, decompressed.
  public var body: [UInt8]

  public init(head: HTTPResponseHead, body: [UInt8]) {
    self.head = head
    self.body = body
  }

  /// The head's members as the response's own: `response.status`.
  public subscript<Member>(dynamicMember member: KeyPath<HTTPResponseHead, Member>) -> Member {
    head[keyPath: member]
  }
}

/// How far a transfer has come.
///
/// Both numbers count bytes on the wire, before decompression, so that their quotient is right for
/// compressed bodies too.
public struct HTTPProgress: Sendable, Equatable {
  public var received: Int

  /// Nil while the server has not said how much it will send.
  public var expected: Int?

  public init(received: Int, expected: Int?) {
    self.received = received
    self.expected = expected
  }
}
