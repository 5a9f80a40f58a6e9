import Foundation

/// A sock in the drawer.
///
/// Its JSON has all of these names; missing values are `null`.
public struct Sock: Hashable, Identifiable, Sendable {
  /// How soggy a sock can be: bone dry, up to a day in the fields.
  public static let sogginessRange = 0...100

  /// The sock's permanent ID.
  public let id: UUID
  /// The name: one line.
  public var name: String
  /// The location of its picture; nil for none.
  public var picture: SockPicture?
  /// How soggy it is, in ``sogginessRange``.
  public var sogginess: Int
  /// The pattern, such as "argyle" or "striped".
  public var pattern: String
  /// The colour, such as "red".
  public var colour: String
  /// The other sock of its pair, which refers back to this one; nil for a single sock.
  public var pair: UUID?
  /// Further notes, in any number of lines.
  public var notes: String
  /// When it was added to the drawer, in whole seconds.
  public var created: Date
  /// When it was last changed, in whole seconds.
  public var changed: Date

  /// Creates a sock without checking its values; see ``SockEdit/check()``.
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
