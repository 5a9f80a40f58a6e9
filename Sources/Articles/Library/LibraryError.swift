/// Why the library cannot do what it was asked for.
public enum LibraryError: Error, Sendable, Hashable {
  /// Neither a web address nor a file.
  case unusableAddress(String)
  case alreadyAdded(address: String)
  case noSuchFeed
  /// Several feeds have this title.
  case ambiguousTitle(String)
  /// Removed, by this program or another, since its list was shown.
  case articleGone

  /// What a person is told.
  public var message: PersonMessage {
    switch self {
    case .unusableAddress(let address):
      PersonMessage(
        what: "This is no address of a feed.",
        advice: "Give one that begins with http:// or https://, or the path of a file.",
        detail: address)
    case .alreadyAdded(let address):
      PersonMessage(
        what: "This feed is there already.", advice: "There is nothing to do.", detail: address)
    case .noSuchFeed:
      PersonMessage(
        what: "There is no such feed.", advice: "List the feeds to see which there are.")
    case .ambiguousTitle(let title):
      PersonMessage(
        what: "Several feeds have this title.", advice: "Name it by its address.", detail: title)
    case .articleGone:
      PersonMessage(
        what: "The article is not there any more.", advice: "Go back to the list and load it again."
      )
    }
  }
}
