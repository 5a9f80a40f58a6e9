public import Loading
public import UserErrors

/// A change of a sock that could not be saved: the sock, the change and the reason.
public struct SockChangeFailure: ExplainedError, RetryAdvice {
  /// The sock with the change applied.
  public let sock: Sock
  /// The part of the sock that the change is of.
  public let part: SockPart
  /// Why it was not saved.
  public let reason: any Error

  /// What happened, in one sentence.
  public var what: String {
    switch part {
    case .sogginess: "The sogginess of “\(shortName)” was not saved."
    case .fields: "“\(shortName)” was not changed."
    case .pair: "The pair of “\(shortName)” was not changed."
    case .addition: "“\(shortName)” was not added to the drawer."
    case .removal: "“\(shortName)” was not removed from the drawer."
    }
  }

  /// The reason, and what the user can do about it.
  public var advice: String { "\(explained(reason).what) \(explained(reason).advice)" }
  /// Technical details of the reason.
  public var detail: String? { explained(reason).detail }
  /// Whether retrying may help against the reason.
  public var isRetryable: Bool { reason.allowsRetry }

  /// The name, shortened to fit into a sentence.
  private var shortName: String {
    sock.name.count > 40 ? sock.name.prefix(40) + "…" : sock.name
  }

  /// Runs `body` and wraps its error in a failure.
  static func telling(
    _ part: SockPart, of sock: Sock, _ body: () async throws -> Void
  ) async throws {
    do {
      try await body()
    } catch {
      throw SockChangeFailure(sock: sock, part: part, reason: error)
    }
  }
}
