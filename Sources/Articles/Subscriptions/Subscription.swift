/// A feed in a list that is imported from, or exported to, another reader.
public struct Subscription: Sendable, Hashable {
  /// `http` or `https`; `file` only from the user's own list.
  public var address: String
  /// The user's title of the feed, if any.
  public var name: String?
  /// The feed's own title.
  public var title: String?
  /// The address of the feed's web site.
  public var site: String?
  /// The folder; nil at the top level.
  public var folder: FeedFolder?
  public var tags: [String]
  /// Attributes that are not interpreted, by name; they are exported again.
  ///
  /// An imported list keeps up to 20 for each feed, of at most 2,000 bytes each. A name must begin
  /// with an ASCII letter, consist of ASCII letters, digits, `-` and `_`, and have at most 64
  /// bytes; an attribute with another name, or with a prefix such as in `x:color`, is dropped.
  public var others: [String: String]

  /// The address without a user name and a password.
  public var shownAddress: String { FeedCredentials.split(address).address }

  /// Whether the feed is a file or a program of this machine, which no list of others may name.
  public var isOfThisMachine: Bool {
    SubscriptionList.Refusal.Reason(refusing: address, allowsFiles: false) != nil
  }

  /// The most such attributes that are kept.
  static let otherLimit = 20

  public init(
    address: String, name: String? = nil, title: String? = nil, site: String? = nil,
    folder: FeedFolder? = nil, tags: [String] = [], others: [String: String] = [:]
  ) {
    let arrangement = FeedArrangement(title: name, folder: folder, tags: tags)
    self.address = address
    self.name = arrangement.title
    self.title = FeedArrangement(title: title).title
    self.site = site
    self.folder = folder
    self.tags = arrangement.tags
    self.others = others
  }
}

/// A parsed list of feeds: the result of ``OPML/read(_:)`` and of ``NewsboatList``.
public struct SubscriptionList: Sendable, Hashable {
  /// An entry that is not imported.
  public struct Refusal: Sendable, Hashable {
    public enum Reason: Error, Sendable, Hashable {
      /// Its address would start a program: `exec:` or `filter:`.
      case program
      /// Its address is a file of this machine.
      case file
      /// Its address is not that of a feed.
      case address
      /// It has no address.
      case noAddress
      /// It is a query over feeds, not a feed.
      case query
      /// The list has too many feeds.
      case tooMany
    }

    /// The entry's title or address, or its line in newsboat's list, sanitised and shortened.
    public let entry: String
    /// The search that stands for a refused query; nil if that is not known.
    private let search: String?
    /// 0 for none; small, and at the end, because a list may have many refusals.
    private let number: Int32
    public let reason: Reason

    /// The number of its line, from 1; nil in OPML, which is not written line by line.
    public var line: Int? { number > 0 ? Int(number) : nil }

    public init(reason: Reason, entry: String, line: Int? = nil) {
      self.reason = reason
      self.entry = UserMessage.cleaned(entry)
      number = Int32(clamping: line ?? 0)
      // Of the whole entry.
      search =
        reason == .query ? NewsboatList.words(entry).first.flatMap(NewsboatQuery.search) : nil
    }

    /// The entry with the number of its line, if it has one.
    public var words: String { line.map { "Line \($0): \(entry)" } ?? entry }

    /// The message shown to the user, in one sentence.
    public var sentence: String {
      switch reason {
      case .program:
        "It would run a program: name that in a table [[exec]] of the configuration file, then run "
          + "argyle feeds add exec:NAME, or import your own list again (in OPML with --own)."
      case .file:
        "It is a file of this machine, which a list of others must not name. If the list is your own: "
          + "argyle feeds import --own FILE."
      case .address: "This is not the address of a feed."
      case .noAddress: "It has no address."
      case .query:
        "It is a search over feeds, not a feed: search for \(search ?? "what it finds") and save "
          + "that with F2, or in a table [[search]] of the configuration file."
      case .tooMany: "The list has more than \(SubscriptionList.countLimit) feeds."
      }
    }
  }

  /// Whether the list is the user's own: then its titles replace those that the user gave the feeds.
  var isOwn = false

  /// Whose list it is, which decides what its entries may be.
  enum Source: Sendable {
    /// The user's own, which may also name files of this machine, and programs of the configuration.
    case user(programs: Set<String>)
    /// Anyone's, with nothing but web addresses.
    case others

    /// Returns the address of an entry as it is stored.
    ///
    /// - Throws: why the entry is not imported.
    func address(_ text: String) throws(Refusal.Reason) -> String {
      var allowsFiles = false
      if case .user(let programs) = self {
        allowsFiles = true
        if let program = ProgramAddress(text), programs.contains(program.name) {
          return program.text
        }
      }
      if let reason = Refusal.Reason(refusing: text, allowsFiles: allowsFiles) { throw reason }
      guard let address = FeedAddress.normalized(text, directory: "/") else { throw .address }
      return address
    }
  }

  /// The most empty folders that are kept.
  static let folderLimit = 1_000
  /// The most feeds of a list.
  public static let countLimit = 20_000

  /// The feeds without duplicate addresses, in the order of the list.
  public private(set) var subscriptions: [Subscription] = []
  public private(set) var refusals: [Refusal] = []
  /// Folders without feeds, in the order of the list.
  public private(set) var emptyFolders: [FeedFolder] = []
  /// How many of the entries newsboat hides.
  public internal(set) var hiddenCount = 0
  private var places: [String: Int] = [:]
  private var knownEmptyFolders: Set<FeedFolder> = []

  public init() {}

  /// Adds a feed; a feed with the same address gets the tags of both, and stays in its first
  /// folder.
  ///
  /// Further folders of the feed become tags, since a feed is in only one folder here.
  public mutating func append(_ subscription: Subscription) {
    guard let place = places[subscription.address] else {
      guard subscriptions.count < Self.countLimit else {
        return refuse(.tooMany, entry: subscription.name ?? subscription.address)
      }
      places[subscription.address] = subscriptions.count
      return subscriptions.append(subscription)
    }
    var merged = subscriptions[place]
    var tags = merged.tags + subscription.tags
    if merged.folder == nil {
      merged.folder = subscription.folder
    } else if let folder = subscription.folder, folder != merged.folder {
      tags.append(folder.path.joined(separator: "/"))
    }
    subscriptions[place] = Subscription(
      address: merged.address, name: merged.name ?? subscription.name,
      title: merged.title ?? subscription.title, site: merged.site ?? subscription.site,
      folder: merged.folder, tags: tags,
      others: Self.merged(merged.others, subscription.others))
  }

  /// Merges the attributes of two entries up to the limit; if both have one, the first entry's
  /// counts.
  private static func merged(
    _ one: [String: String], _ other: [String: String]
  ) -> [String: String] {
    var merged = one
    for (name, value) in other.sorted(by: { $0.key < $1.key })
    where merged.count < Subscription.otherLimit && merged[name] == nil {
      merged[name] = value
    }
    return merged
  }

  /// Adds a folder without feeds.
  public mutating func append(emptyFolder folder: FeedFolder) {
    guard emptyFolders.count < Self.folderLimit, knownEmptyFolders.insert(folder).inserted else {
      return
    }
    emptyFolders.append(folder)
  }

  /// - Parameter line: the number of its line, from 1.
  public mutating func refuse(_ reason: Refusal.Reason, entry: String, line: Int? = nil) {
    // Nobody reads a list of a million refusals.
    guard refusals.count < Self.countLimit else { return }
    refusals.append(Refusal(reason: reason, entry: entry, line: line))
  }
}

extension SubscriptionList.Refusal.Reason {
  /// Returns why an address is not imported; nil if it may be.
  init?(refusing address: String, allowsFiles: Bool) {
    let scheme = WebAddress.Parts(address.trimmingWhiteSpace()).scheme
    switch scheme {
    case "http", "https", "feed": return nil
    case "exec", "filter": self = .program
    case "file": if allowsFiles { return nil } else { self = .file }
    case "query": self = .query
    default: self = .address
    }
  }
}
