import Foundation

/// JSON Feed, versions 1 and 1.1.
enum JSONFeed {
  /// The bytes must be valid UTF-8.
  static func parse(_ bytes: [UInt8], address: String) throws(FeedError) -> ParsedFeed {
    let document = try JSONReader.read(bytes)
    // Some leave the version out; nothing else that is JSON has both of these.
    let isFeed =
      document["version"]?.text?.contains("jsonfeed.org") == true || document["title"]?.text != nil
    guard isFeed, case .array(let items)? = document["items"] else {
      throw .notAFeed(found: .json)
    }
    var feed = ParsedFeed()
    feed.title = PlainText.line(document["title"]?.text ?? "")
    feed.site = webAddress(document["home_page_url"], against: address)
    feed.author = authors(of: document)
    feed.articles = items.compactMap { item in
      guard case .object = item else { return nil }
      return article(item, feed: feed, address: address)
    }
    return feed
  }

  private static func article(
    _ item: JSONValue, feed: ParsedFeed, address base: String
  ) -> ParsedArticle {
    var article = ParsedArticle()
    article.guid = item["id"]?.text?.trimmingWhiteSpace() ?? ""
    article.title = PlainText.line(item["title"]?.text ?? "")
    article.author = authors(of: item) ?? feed.author
    article.link =
      webAddress(item["url"], against: base) ?? webAddress(item["external_url"], against: base)
      ?? WebAddress.web(article.guid)
    article.published = date(item["date_published"]) ?? date(item["date_modified"])
    article.updated = date(item["date_modified"])
    article.base = article.link ?? base
    let html = item["content_html"]?.text ?? ""
    let text = [item["content_text"], item["summary"]].lazy.compactMap { $0?.text }
      .first { !$0.isEmpty }
    article.html = html.isEmpty ? PlainText.html(text ?? "") : html
    article.attachments = attachments(of: item, against: base)
    return article
  }

  private static func webAddress(_ value: JSONValue?, against base: String) -> String? {
    guard let text = value?.text, !text.isEmpty else { return nil }
    return WebAddress.web(text, against: base)
  }

  private static func date(_ value: JSONValue?) -> Date? {
    value?.text.flatMap(FeedDate.parse)
  }

  /// Version 1 has one author, 1.1 a list of them; some feeds have both.
  private static func authors(of value: JSONValue) -> String? {
    let people = (value["authors"]?.elements ?? []) + [value["author"]].compactMap(\.self)
    var names: [String] = []
    for person in people {
      let name = PlainText.line(person["name"]?.text ?? person.text ?? "")
      if !name.isEmpty, !names.contains(name) { names.append(name) }
    }
    return names.isEmpty ? nil : PlainText.line(names.joined(separator: ", "))
  }

  private static func attachments(of item: JSONValue, against base: String) -> [Attachment] {
    var attachments: [Attachment] = []
    for key in ["image", "banner_image"] {
      if let address = webAddress(item[key], against: base) {
        attachments.append(Attachment(address: address, type: "image"))
      }
    }
    for value in item["attachments"]?.elements.prefix(EntryFields.attachmentLimit) ?? [] {
      guard let address = webAddress(value["url"], against: base) else { continue }
      attachments.append(
        Attachment(
          address: address, type: value["mime_type"]?.text,
          byteCount: value["size_in_bytes"]?.text.flatMap { Int($0) },
          seconds: value["duration_in_seconds"]?.text.flatMap(Attachment.seconds)))
    }
    return attachments
  }
}
