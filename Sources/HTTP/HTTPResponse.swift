/// The status and headers of an answer, known before its body.
public struct HTTPResponseHead: Sendable, Equatable {
  /// The status code as the server sent it.
  ///
  /// No status is an error at this level.
  public var status: Int

  /// The headers of the last answer, not of redirects.
  public var headers: HTTPHeaders

  /// The address that answered, after every redirect.
  public var finalURL: String

  /// Whether there was a redirect and all of them were permanent (301 or 308): the requested
  /// address may then be replaced with `finalURL` for good.
  public var isMovedPermanently: Bool

  /// Whether another server has answered than that of the request, which therefore did not get the
  /// request's secrets: see ``HTTPRequest/headers``.
  public var isOfOtherServer: Bool

  /// The origin of addresses that occur in the body.
  public var contentOrigin: RequestOrigin

  /// Whether the first server has an address of the public network, which may be one of this
  /// machine.
  public var beginsInPublic: Bool
}

/// A whole answer.
@dynamicMemberLookup
public struct HTTPResponse: Sendable, Equatable {
  /// The head; its members are also the response's own: `response.status`.
  public var head: HTTPResponseHead

  /// The body, decompressed.
  public var body: [UInt8]

  /// A member of the head.
  public subscript<Member>(dynamicMember member: KeyPath<HTTPResponseHead, Member>) -> Member {
    head[keyPath: member]
  }
}

/// How far a transfer has come.
///
/// Both numbers count bytes on the wire, before decompression, so that their ratio is right for
/// compressed bodies too.
public struct HTTPProgress: Sendable, Equatable {
  /// Bytes received so far.
  public var received: Int

  /// Bytes in total; nil when the server does not say.
  public var expected: Int?

  /// Creates a report for tests of code that shows one.
  public init(received: Int, expected: Int?) {
    self.received = received
    self.expected = expected
  }
}
