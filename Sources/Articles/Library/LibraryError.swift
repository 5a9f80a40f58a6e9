/// Why the library cannot do what was requested.
public enum LibraryError: MessageError, Sendable, Hashable {
  /// The text is neither a web address nor a file.
  case unusableAddress(String)
  /// The text has this many addresses, of which only one can be added at a time.
  case severalAddresses(Int)
  /// The feed has already been added; `others` are further feeds of the same page that have not
  /// been added.
  case alreadyAdded(address: String, others: [FeedLink] = [])
  /// The page links to several feeds, from which the user has to choose; never empty.
  case severalFeeds([FeedLink])
  /// The server reports that the feed, which has not been added, is gone for good.
  case goneForGood
  /// No feed has this name or address; nil if it was not named.
  case noSuchFeed(String? = nil)
  /// The address of the feed cannot be changed, because it is one of an account.
  case feedOfAccount
  /// The new address of a feed is that of another one.
  case addressOfOtherFeed(String)
  /// A feed that was removed has the address.
  case addressOfRemovedFeed
  /// No feed is in a folder with this name.
  case noSuchFolder(String)
  /// No feed and no article has this tag.
  case noSuchTag(String)
  /// Several feeds have this title.
  case ambiguousTitle(String)
  /// The article was removed, by this program or another, after it was listed.
  case articleGone
  /// The search index, which cannot be written, lacks this many articles, or `isAll` of them.
  case notIndexed(count: Int, isAll: Bool)

  /// Creates the error for a text that is not one address.
  init(unusable text: String) {
    let count = FeedAddress.count(in: text)
    self =
      count > 1
      ? .severalAddresses(count)
      : .unusableAddress(UserMessage.cleaned(FeedCredentials.hidden(in: text)))
  }

  public var message: UserMessage {
    switch self {
    case .unusableAddress(let address):
      UserMessage(
        what: "This is not the address of a feed.",
        advice: "Give one that begins with http:// or https://, or the path of a file.",
        detail: address)
    case .severalAddresses(let count):
      UserMessage(what: "These are \(count) addresses, not one.", advice: "Add one at a time.")
    case .alreadyAdded(let address, let others):
      UserMessage(
        what: "You already have this feed.",
        advice: others.isEmpty
          ? "Reload it to see what is new."
          : "The page names \(others.count == 1 ? "another" : "\(others.count) others"); add "
            + "\(others.count == 1 ? "it" : "one") by its address.",
        detail: address)
    case .severalFeeds(let feeds):
      UserMessage(
        what: "The page names \(feeds.count) feeds.", advice: "Add one of them by its address.",
        detail: feeds.map(\.address).joined(separator: " "))
    case .goneForGood:
      UserMessage(
        what: "The feed is gone for good.", advice: "Look on its web site for another address.",
        detail: "HTTP status 410")
    case .noSuchFeed(let name):
      UserMessage(
        what: "There is no such feed.", advice: "List the feeds to see which there are.",
        detail: name)
    case .feedOfAccount:
      UserMessage(
        what: "The feed belongs to an account, whose server knows it by its address.",
        advice: "Add the feed by its new address, then remove this one.")
    case .addressOfOtherFeed(let address):
      UserMessage(
        what: "Another of your feeds has this address.",
        advice: "Give a different one, or remove one of the two feeds.", detail: address)
    case .addressOfRemovedFeed:
      UserMessage(
        what: "A feed that you removed has this address.",
        advice: "Add it by its address: it comes back with its articles.")
    case .noSuchFolder(let name):
      UserMessage(
        what: "There is no such folder.", advice: "List the feeds to see which there are.",
        detail: name)
    case .noSuchTag(let tag):
      UserMessage(
        what: "There is no such tag.",
        advice: "argyle tags lists those of articles, argyle feeds list those of feeds.",
        detail: tag)
    case .ambiguousTitle(let title):
      UserMessage(
        what: "Several feeds have this title.", advice: "Name it by its address.", detail: title)
    case .articleGone:
      UserMessage(
        what: "The article is not there any more.", advice: "Go back to the list and load it again."
      )
    case .notIndexed(let count, let isAll):
      UserMessage(
        what: (isAll
          ? "The search index does not exist"
          : "The search index lacks \(count) article\(count == 1 ? "" : "s")")
          + ", and it cannot be written here.",
        advice: "Search once where the data folder can be written. "
          + "Conditions without words, such as unread, need no index.")
    }
  }
}
