import Foundation

/// A sock that is to be added.
public struct SockDraft: Hashable, Codable, Sendable {
  /// Chosen by who adds it: an addition that is tried again does not make two of it.
  public var id: UUID
  public var name: String
  /// Nil for none.
  public var picture: SockPicture?
  /// How soggy it is, in ``Sock/sogginessRange``.
  public var sogginess: Int
  public var pattern: String
  public var colour: String
  public var notes: String

  /// A new sock, dry and plain but for what is given.
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

  /// The sock that it becomes at `date`.
  public func sock(at date: Date) -> Sock {
    let date = date.wholeSeconds
    return Sock(
      id: id, name: name, picture: picture, sogginess: sogginess, pattern: pattern, colour: colour,
      notes: notes, created: date, changed: date)
  }
}

extension Date {
  /// As socks keep their dates: what is exported comes back the same.
  var wholeSeconds: Date {
    Date(timeIntervalSince1970: timeIntervalSince1970.rounded(.down))
  }
}
