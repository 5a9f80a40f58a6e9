/// A feed in a list of feeds: what another reader hands over, or is handed.
public struct Subscription: Sendable, Hashable {
  /// `http` or `https`; `file` only from the user's own list.
  public var address: String
  /// The title that the user gave it, if any.
  public var name: String?
  /// The feed's own title.
  public var title: String?
  /// The address of the web site it belongs to.
  public var site: String?
  /// Nil at the top level.
  public var folder: FeedFolder?
  public var tags: [String]
  /// The attributes that mean nothing here, by name: they are written back.
  public var others: [String: String]

  /// More attributes without a meaning here are left out.
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

/// What a list of feeds says: the answer of ``OPML/read(_:)`` and of ``NewsboatList``.
public struct SubscriptionList: Sendable, Hashable {
  /// An entry that is not taken over.
  public struct Refusal: Sendable, Hashable {
    public enum Reason: Sendable, Hashable {
      /// Its address would start a program: `exec:` or `filter:`.
      case program
      /// Its address is a file of this machine.
      case file
      /// Its address is none that feeds can be fetched from.
      case address
      /// It is a search over feeds, not a feed.
      case query
      /// There are more feeds than a list may have.
      case tooMany
    }

    public let reason: Reason
    /// The entry's title or address; cleaned and cut.
    public let entry: String

    public init(reason: Reason, entry: String) {
      self.reason = reason
      self.entry = UserMessage.cleaned(entry)
    }

    /// What the user is told, in a sentence.
    public var sentence: String {
      switch reason {
      case .program: "It would run a program, which a list of feeds must not do."
      case .file: "It is a file of this machine, which a list of feeds must not name."
      case .address: "Feeds cannot be fetched from its address."
      case .query: "It is a search over feeds, not a feed: save it as a search instead."
      case .tooMany: "The list has more than \(SubscriptionList.countLimit) feeds."
      }
    }
  }

  /// More folders without feeds are left out.
  static let folderLimit = 1_000
  /// More feeds are refused.
  public static let countLimit = 20_000

  /// Every address once, in the order of the list.
  public private(set) var subscriptions: [Subscription] = []
  public private(set) var refusals: [Refusal] = []
  /// Folders in which the list has nothing, in its order.
  public private(set) var emptyFolders: [FeedFolder] = []
  private var places: [String: Int] = [:]
  private var knownEmptyFolders: Set<FeedFolder> = []

  public init() {}

  /// Adds a feed; one that is there already gets the tags of both, and the folder of the first.
  ///
  /// Any other folder that it is in as well becomes a tag, since a feed lies in one folder here.
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

  /// The attributes of both, as many as one feed may have; the first one's where both have one.
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

  /// Adds a folder that has no feeds.
  public mutating func append(emptyFolder folder: FeedFolder) {
    guard emptyFolders.count < Self.folderLimit, knownEmptyFolders.insert(folder).inserted else {
      return
    }
    emptyFolders.append(folder)
  }

  public mutating func refuse(_ reason: Refusal.Reason, entry: String) {
    // A list of a million of them is not to be read by anybody.
    guard refusals.count < Self.countLimit else { return }
    refusals.append(Refusal(reason: reason, entry: entry))
  }
}

extension SubscriptionList.Refusal.Reason {
  /// Why an address is not taken over; nil when it may be.
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
