import Foundation

/// A sock in the drawer.
///
/// As JSON it has these names, and every one of them; what is not there is `null`.
public struct Sock: Hashable, Identifiable, Sendable {
  /// How soggy a sock can be: bone dry, up to a day in the fields.
  public static let sogginessRange = 0...100

  /// Its own for ever.
  public let id: UUID
  /// What it is called: one line.
  public var name: String
  /// Where its picture is; nil for none.
  public var picture: SockPicture?
  /// How soggy it is, in ``sogginessRange``.
  public var sogginess: Int
  /// As in “argyle” or “striped”.
  public var pattern: String
  /// As in “red”.
  public var colour: String
  /// The other one of the pair, whose other one this is; nil for a single sock.
  public var pair: UUID?
  /// Whatever else is to be said, in any number of lines.
  public var notes: String
  /// When it came into the drawer, in whole seconds.
  public var created: Date
  /// When anything about it last changed, in whole seconds.
  public var changed: Date

  /// A sock as it is told; nothing is checked (see ``SockEdit/check()``).
  public init(
    id: UUID, name: String, picture: SockPicture? = nil, sogginess: Int = 0, pattern: String = "",
    colour: String = "", pair: UUID? = nil, notes: String = "", created: Date, changed: Date
  ) {
    self.id = id
    self.name = name
    self.picture = picture
    self.sogginess = sogginess
    self.pattern = pattern
    self.colour = colour
    self.pair = pair
    self.notes = notes
    self.created = created
    self.changed = changed
  }
}

extension Sock: Codable {
  /// Every name is there, so that a script need not ask which are.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(name, forKey: .name)
    try container.encode(picture, forKey: .picture)
    try container.encode(sogginess, forKey: .sogginess)
    try container.encode(pattern, forKey: .pattern)
    try container.encode(colour, forKey: .colour)
    try container.encode(pair, forKey: .pair)
    try container.encode(notes, forKey: .notes)
    try container.encode(created, forKey: .created)
    try container.encode(changed, forKey: .changed)
  }
}
