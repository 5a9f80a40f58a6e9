import Loading

/// A change of a sock that could not be saved: which sock, what of it, and why.
public struct SockChangeFailure: Error, Sendable {
  /// What was to be changed.
  public enum Change: Hashable, Sendable {
    case sogginess, fields, pair, addition, removal

    /// What a mutation of a sock changes, by the part that it names.
    init(_ item: MutationKey?) {
      self =
        switch item?.base as? SockPart {
        case .pair: .pair
        case .addition: .addition
        case .removal: .removal
        case .fields: .fields
        // A view that binds a slider names the sock.
        case .sogginess, nil: .sogginess
        }
    }
  }

  /// The sock as it was to be.
  public let sock: Sock
  /// What was to be changed.
  public let change: Change
  /// Why it was not.
  public let reason: any Error

  /// What happened, in a sentence.
  public var what: String {
    switch change {
    case .sogginess: "The sogginess of “\(shortName)” was not saved."
    case .fields: "“\(shortName)” was not changed."
    case .pair: "The pair of “\(shortName)” was not changed."
    case .addition: "“\(shortName)” was not added to the drawer."
    case .removal: "“\(shortName)” was not removed from the drawer."
    }
  }

  /// The name as it fits into a sentence.
  private var shortName: String {
    sock.name.count > 40 ? sock.name.prefix(40) + "…" : sock.name
  }

  /// Does something, and says of an error what it means for a sock.
  static func telling(
    _ change: Change, of sock: Sock, _ body: () async throws -> Void
  ) async throws {
    do {
      try await body()
    } catch {
      throw SockChangeFailure(sock: sock, change: change, reason: error)
    }
  }
}
