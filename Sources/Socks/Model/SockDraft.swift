import Foundation

/// A sock to be added: its fields, and an ID that is chosen by the caller, so that a retried
/// addition does not add it twice.
public struct SockDraft: Hashable, Sendable {
  // Without a pair; the dates are set when it is added.
  var sock: Sock

  /// The ID that the sock will have.
  public var id: Sock.ID { sock.id }

  /// Creates a draft from edits; without any, the sock is dry and plain.
  public init(id: UUID = UUID(), _ edits: [SockEdit] = []) {
    sock = Sock(id: id, name: "", created: .distantPast, changed: .distantPast)
    for edit in edits { sock.apply(edit) }
  }

  /// Returns the new sock, created at `date`.
  public func sock(at date: Date) -> Sock {
    var sock = sock
    (sock.created, sock.changed) = (date.wholeSeconds, date.wholeSeconds)
    return sock
  }
}

extension Date {
  /// Rounded down to seconds, as socks store their dates, so that an exported date is imported
  /// unchanged.
  var wholeSeconds: Date {
    Date(timeIntervalSince1970: timeIntervalSince1970.rounded(.down))
  }
}
