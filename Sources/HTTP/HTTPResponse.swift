/// The answer before its body: what is known as soon as the headers are in.
public struct HTTPResponseHead: Sendable, Equatable {
  /// The status code as the server sent it.
  ///
  /// No status is an error at this level.
  public var status: Int

  /// The last answer's, not those of redirects.
  public var headers: HTTPHeaders

  /// The address that answered, after every redirect.
  public var finalURL: String

  /// There was a redirect, and each of them was permanent (301 or 308): the address that was asked
  /// may be replaced with `finalURL` for good.
  public var isMovedPermanently: Bool

  /// What an address that stands in the body has as its origin.
  public var contentOrigin: RequestOrigin

  /// Whether the first server that was asked is one of the public network.
  public var beginsInPublic: Bool

  /// A head made by hand, for tests of those who read one.
  public init(
    status: Int, headers: HTTPHeaders = [:], finalURL: String, isMovedPermanently: Bool = false,
    contentOrigin: RequestOrigin = .publicContent, beginsInPublic: Bool = true
  ) {
    self.status = status
    self.headers = headers
    self.finalURL = finalURL
    self.isMovedPermanently = isMovedPermanently
    self.contentOrigin = contentOrigin
    self.beginsInPublic = beginsInPublic
  }
}

/// A whole answer.
@dynamicMemberLookup
public struct HTTPResponse: Sendable, Equatable {
  /// Its members are the response's own too: `response.status`.
  public var head: HTTPResponseHead

  /// The body, decompressed.
  public var body: [UInt8]

  /// An answer made by hand, for tests of those who read one.
  public init(head: HTTPResponseHead, body: [UInt8]) {
    self.head = head
    self.body = body
  }

  /// A member of the head.
  public subscript<Member>(dynamicMember member: KeyPath<HTTPResponseHead, Member>) -> Member {
    head[keyPath: member]
  }
}

/// How far a transfer has come.
///
/// Both numbers count bytes on the wire, before decompression, so that their quotient is right for
/// compressed bodies too.
public struct HTTPProgress: Sendable, Equatable {
  /// Bytes so far.
  public var received: Int

  /// Bytes in all; nil when the server does not say.
  public var expected: Int?

  /// A report made by hand, for tests of those who show one.
  public init(received: Int, expected: Int?) {
    self.received = received
    self.expected = expected
  }
}
