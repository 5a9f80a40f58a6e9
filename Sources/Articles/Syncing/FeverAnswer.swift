import Limits

/// A Fever answer, with the members that were requested.
struct FeverAnswer {
  struct Feed {
    let id: Int64
    let title: String
    let address: String
    let site: String?
  }

  /// 1 when the key is right; nil when another kind of server answers.
  private(set) var auth: Int64?
  /// The names of the groups.
  private(set) var groups: [Int64: String]?
  /// The group of each feed; if a feed is in several, the first.
  private(set) var groupOfFeed: [Int64: Int64] = [:]
  private(set) var feeds: [Feed]?
  private(set) var items: [FeverItem]?
  private(set) var unread: Set<RemoteID>?
  private(set) var saved: Set<RemoteID>?
}

extension ServerAnswer {
  /// Parses a Fever answer.
  ///
  /// - Parameter wanted: the requested articles, each of which is read once.
  func fever(wanted: Set<Int64> = []) throws -> FeverAnswer {
    try read { reader, budget throws(FeedError) in
      var answer = FeverAnswer()
      var missing = wanted
      let isObject = try reader.object { reader, name throws(FeedError) in
        try answer.readMember(name, &reader, missing: &missing, budget)
      }
      return isObject ? answer : nil
    }
  }
}

extension FeverAnswer {
  fileprivate mutating func readMember(
    _ name: String, _ reader: inout JSONReader, missing: inout Set<Int64>, _ budget: Budget
  ) throws(FeedError) {
    switch name {
    case "auth": auth = try reader.number()
    case "groups":
      var groups: [Int64: String] = [:]
      let isList = try reader.array { reader throws(FeedError) in
        let group = try reader.texts(["id", "title"])
        guard let id = group["id"].flatMap({ Int64($0) }), groups.count < ServerAnswer.feedLimit
        else { return }
        groups[id] = groups[id] ?? NameList.cleaned([group["title"] ?? ""]).first
      }
      if isList { self.groups = groups }
    case "feeds_groups":
      try reader.array { reader throws(FeedError) in
        let group = try reader.texts(["group_id", "feed_ids"])
        guard let id = group["group_id"].flatMap({ Int64($0) }) else { return }
        Self.readNumbers(group["feed_ids"] ?? "", budget) { feed in
          guard groupOfFeed.count < ServerAnswer.feedLimit else { return }
          groupOfFeed[feed] = groupOfFeed[feed] ?? id
        }
      }
    case "feeds":
      var feeds: [Feed] = []
      let isList = try reader.array { reader throws(FeedError) in
        if let feed = try Self.feed(&reader) { feeds.append(feed) }
        budget.require(feeds.count, atMost: ServerAnswer.feedLimit, .feeds)
      }
      if isList { self.feeds = feeds }
    case "items":
      var items: [FeverItem] = []
      let isList = try reader.array { reader throws(FeedError) in
        guard let item = try FeverItem.read(&reader), missing.remove(item.id) != nil else { return }
        items.append(item)
      }
      if isList { self.items = items }
    case "unread_item_ids": unread = Self.ids(try reader.text(), budget)
    case "saved_item_ids": saved = Self.ids(try reader.text(), budget)
    default: try reader.skip()
    }
  }

  /// Reads a feed; nil when it has no address that can be fetched.
  private static func feed(_ reader: inout JSONReader) throws(FeedError) -> Feed? {
    let feed = try reader.texts(["id", "title", "url", "site_url"])
    guard let id = feed["id"].flatMap({ Int64($0) }),
      let address = feed["url"].flatMap({ WebAddress.web($0) })
    else { return nil }
    return Feed(
      id: id, title: PlainText.line(feed["title"] ?? ""),
      address: FeedCredentials.split(address).address,
      site: feed["site_url"].flatMap { WebAddress.web($0) })
  }

  private static func ids(_ text: String?, _ budget: Budget) -> Set<RemoteID>? {
    guard let text else { return nil }
    var ids: Set<RemoteID> = []
    readNumbers(text, budget) { number in
      ids.insert(RemoteID(number: number))
      budget.require(ids.count, atMost: ServerAnswer.articleLimit, .articles)
    }
    return ids
  }

  /// Parses the numbers in a text like "1,2,3"; anything else is ignored.
  private static func readNumbers(_ text: String, _ budget: Budget, _ use: (Int64) -> Void) {
    var text = text
    text.withUTF8 { bytes in
      for word in bytes.lazy.split(separator: UInt8(ascii: ",")) {
        guard budget.spend(word.count + 1) else { return }
        let digits = word.drop(while: isWhiteSpace).prefix { !isWhiteSpace($0) }
        // No number has more digits.
        if digits.count <= 20, let number = Int64(String(decoding: digits, as: UTF8.self)) {
          use(number)
        }
      }
    }
  }
}

/// An article in a Fever answer.
struct FeverItem {
  let id: Int64
  let isSaved: Bool
  let article: RemoteArticle

  /// Reads an article; nil when it has no id or no feed.
  static func read(_ reader: inout JSONReader) throws(FeedError) -> FeverItem? {
    let item = try reader.texts([
      "id", "feed_id", "title", "author", "html", "url", "is_saved", "created_on_time",
    ])
    guard let id = item["id"].flatMap({ Int64($0) }),
      let feed = item["feed_id"].flatMap({ Int64($0) })
    else { return nil }
    return FeverItem(
      id: id, isSaved: item["is_saved"].flatMap { Int64($0) } == 1,
      article: RemoteArticle(
        id: RemoteID(number: id), feed: String(feed), title: item["title"], author: item["author"],
        link: item["url"].flatMap { WebAddress.web($0) },
        published: JSONReader.time(item["created_on_time"]), html: item["html"]))
  }
}
