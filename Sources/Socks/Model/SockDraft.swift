import Foundation

/// A sock to be added.
public struct SockDraft: Hashable, Codable, Sendable {
  /// Chosen by the caller, so that a retried addition does not add it twice.
  public var id: UUID
  public var name: String
  /// Nil for none.
  public var picture: SockPicture?
  /// How soggy it is, in ``Sock/sogginessRange``.
  public var sogginess: Int
  public var pattern: String
  public var colour: String
  public var notes: String

  /// Creates a draft; by default dry and plain.
  public init(
    id: UUID = UUID(), name: String, picture: SockPicture? = nil, sogginess: Int = 0,
    pattern: String = "", colour: String = "", notes: String = ""
  ) {
    self.id = id
    self.name = name
    self.picture = picture
    self.sogginess = sogginess
    self.pattern = pattern
    self.colour = colour
    self.notes = notes
  }

  /// Returns the new sock, created at `date`.
  public func sock(at date: Date) -> Sock {
    let date = date.wholeSeconds
    return Sock(
      id: id, name: name, picture: picture, sogginess: sogginess, pattern: pattern, colour: colour,
      notes: notes, created: date, changed: date)
  }
}

extension Date {
  /// Rounded down to seconds, as socks store their dates, so that an exported date is imported
  /// unchanged.
  var wholeSeconds: Date {
    Date(timeIntervalSince1970: timeIntervalSince1970.rounded(.down))
  }
}
