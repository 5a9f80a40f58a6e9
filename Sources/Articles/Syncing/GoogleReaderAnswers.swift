import Foundation
import Limits

/// Parses the answers of the Google Reader API.
extension ServerAnswer {
  /// Parses `subscription/list`.
  func subscriptions() throws -> [RemoteFeed] {
    try read { reader, budget throws(FeedError) in
      var feeds: [RemoteFeed] = []
      let isList = try reader.array(named: "subscriptions") { reader throws(FeedError) in
        if let feed = try Self.subscription(&reader) { feeds.append(feed) }
        budget.require(feeds.count, atMost: Self.feedLimit, .feeds)
      }
      return isList ? feeds : nil
    }
  }

  /// Reads a feed; nil when it has no address that can be fetched.
  private static func subscription(_ reader: inout JSONReader) throws(FeedError) -> RemoteFeed? {
    var id, title, url, site, folder: String?
    try reader.object { reader, name throws(FeedError) in
      switch name {
      case "id": id = try reader.text()
      case "title": title = try reader.text()
      case "url": url = try reader.text()
      case "htmlUrl": site = try reader.text()
      case "categories":
        try reader.array { reader throws(FeedError) in
          let category = try reader.texts(["id", "label"])
          folder = folder ?? category["label"] ?? Self.label(category["id"])
        }
      default: try reader.skip()
      }
    }
    guard let id, 1...500 ~= id.utf8.count else { return nil }
    // Some servers have no address field; then the address is in the id.
    let written = url ?? (id.hasPrefix("feed/http") ? String(id.dropFirst(5)) : "")
    guard let address = WebAddress.web(written) else { return nil }
    return RemoteFeed(
      id: id, address: FeedCredentials.split(address).address, title: PlainText.line(title ?? ""),
      folder: folder.flatMap { NameList.cleaned([$0]).first },
      site: site.flatMap { WebAddress.web($0) })
  }

  /// Returns the id of the new feed from `subscription/quickadd`; nil when none was added.
  func addedFeed() throws -> String? {
    let id: String?? = try read { reader, _ throws(FeedError) in
      var id: String?
      let isObject = try reader.object { reader, name throws(FeedError) in
        if name == "streamId" { id = try reader.text() } else { try reader.skip() }
      }
      return isObject ? .some(id) : nil
    }
    return id.flatMap(\.self)
  }

  /// Returns the message in an error of Miniflux, whose end may be cut off; nil for another text.
  static func errorMessage(in detail: String) -> String? {
    for text in [detail, detail + "\"}"] {
      let message = try? ServerAnswer(Array(text.utf8), of: "error").read {
        reader, _ throws(FeedError) in
        try reader.texts(["error_message"])["error_message"]
      }
      if let message { return UserMessage.cleaned(message) }
    }
    return nil
  }

  /// Parses the labels of `tag/list`.
  func labels() throws -> [String] {
    try read { reader, _ throws(FeedError) in
      var labels: [String] = []
      let isList = try reader.array(named: "tags") { reader throws(FeedError) in
        let tag = try reader.texts(["id", "type"])
        guard tag["type"] == "tag", labels.count < NameList.countLimit,
          let label = Self.label(tag["id"]), !labels.contains(label)
        else { return }
        labels.append(label)
      }
      return isList ? labels : nil
    }
  }

  /// Parses a page of `stream/items/ids` and adds its ids to a set.
  ///
  /// - Returns: the continuation of the next page; nil for the last one.
  func references(into ids: inout Set<RemoteID>) throws -> String? {
    var list = ids
    // Avoids a copy of the set when it grows.
    ids = []
    let next: String?? = try read { reader, budget throws(FeedError) in
      var next: String?
      var isList = false
      var isWhole = true
      try reader.object { reader, name throws(FeedError) in
        switch name {
        case "continuation":
          next = try reader.text()
          if let next, next.utf8.count > Self.continuationLimit { isWhole = false }
        case "itemRefs":
          isList = try reader.array { reader throws(FeedError) in
            var id: RemoteID?
            try reader.object { reader, name throws(FeedError) in
              if name == "id" {
                id = try reader.text().flatMap { RemoteID($0) }
              } else {
                try reader.skip()
              }
            }
            guard let id else {
              isWhole = false
              return
            }
            list.insert(id)
            budget.require(list.count, atMost: Self.articleLimit, .articles)
          }
        default: try reader.skip()
        }
      }
      return isList && isWhole ? .some(next) : nil
    }
    ids = list
    return next.flatMap(\.self).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Parses the requested articles of `stream/items/contents`, each once.
  func articles(_ wanted: [RemoteID]) throws -> [RemoteArticle] {
    try read { reader, _ throws(FeedError) in
      var missing = Set(wanted)
      var articles: [RemoteArticle] = []
      let isList = try reader.array(named: "items") { reader throws(FeedError) in
        guard let article = try GoogleReaderItem.read(&reader), missing.remove(article.id) != nil
        else { return }
        articles.append(article)
      }
      return isList ? articles : nil
    }
  }

  /// Returns the label in an id such as `user/1005921515/label/News`.
  private static func label(_ id: String?) -> String? {
    guard let id, id.hasPrefix("user/"), let range = id.firstRange(of: "/label/") else {
      return nil
    }
    return NameList.cleaned([String(id[range.upperBound...])]).first
  }
}
