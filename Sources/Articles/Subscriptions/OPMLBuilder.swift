import Limits

/// Builds a list of feeds from the elements of a document.
struct OPMLBuilder: XMLBuilder {
  static let depthLimit = 64

  private(set) var list = SubscriptionList()
  /// An open outline.
  private struct Outline {
    /// The name of its folder; nil when it is not a folder.
    let name: String?
    /// Whether it says that it is a feed, although it has no address.
    var isFeed = false
    /// Whether it has had no contents so far.
    var isEmpty = true
  }

  private let source: SubscriptionList.Source
  private let budget: Budget
  private var outlines: [Outline] = []
  private var hasRoot = false
  private var isInBody = false

  /// The attributes that are interpreted.
  private static let known: Set<String> = [
    "text", "title", "xmlUrl", "xmlurl", "xmlURL", "htmlUrl", "htmlurl", "htmlURL", "type",
    "category", "url",
  ]
  private static let otherLength = 2_000

  init(source: SubscriptionList.Source, budget: Budget) {
    (self.source, self.budget) = (source, budget)
    if case .user = source { list.isOwn = true }
  }

  // MARK: Events

  mutating func start(
    name: UnsafePointer<UInt8>, prefix: UnsafePointer<UInt8>?, uri: UnsafePointer<UInt8>?,
    attributes: XMLAttributes
  ) throws(FeedError) {
    let element = String(outside: name)
    budget.spend(element.utf8.count)
    guard hasRoot || element == "opml" else {
      throw .notAFeed(found: element.lowercased() == "html" ? .html : .xml(root: element))
    }
    hasRoot = true
    switch element {
    case "body": isInBody = true
    case "outline": startOutline(attributes)
    default: break
    }
  }

  mutating func end(name: UnsafePointer<UInt8>) {
    if String(outside: name) == "outline" { endOutline() }
  }

  mutating func characters(_ text: UnsafeBufferPointer<UInt8>) {}

  // MARK: Outlines

  private mutating func startOutline(_ attributes: XMLAttributes) {
    guard isInBody else { return outlines.append(Outline(name: nil)) }
    if let last = outlines.indices.last { outlines[last].isEmpty = false }
    func value(_ names: StaticString...) -> String? {
      names.lazy.compactMap { attributes.value($0) }.first { !$0.isEmpty }
    }
    let (text, title) = (value("text"), value("title"))
    let type = value("type")?.lowercased()
    let isLink = type == "link" || type == "include"
    guard let address = value("xmlUrl", "xmlurl", "xmlURL") ?? (isLink ? value("url") : nil) else {
      // A feed whose address is empty is no folder.
      let isFeed = attributes.value("xmlUrl") != nil
      if isFeed { list.refuse(.noAddress, entry: text ?? title ?? "") }
      return outlines.append(
        Outline(
          name: isFeed ? nil : (text ?? title).map(NameList.beginning),
          isFeed: !isFeed && (type == "rss" || type == "atom")))
    }
    outlines.append(Outline(name: nil))
    let entry = text ?? title ?? address
    // A link is a web page or another list, which the user did not ask to import.
    if isLink { return list.refuse(.address, entry: "\(entry) (\(address))") }
    let normalized: String
    do throws(SubscriptionList.Refusal.Reason) {
      normalized = try source.address(address)
    } catch {
      return list.refuse(error, entry: entry == address ? entry : "\(entry) (\(address))")
    }
    list.append(
      Subscription(
        address: normalized, name: text ?? title, title: text == nil ? nil : title,
        site: value("htmlUrl", "htmlurl", "htmlURL").flatMap { WebAddress.web($0) },
        folder: folder,
        tags: value("category").map(Self.tags) ?? [], others: others(attributes)))
  }

  /// Returns the tags of a category, as many as a feed may have.
  private static func tags(_ category: String) -> [String] {
    category.unicodeScalars.split(separator: ",", maxSplits: NameList.countLimit)
      .prefix(NameList.countLimit).map { String($0) }
  }

  private mutating func endOutline() {
    if let last = outlines.last, last.isEmpty, last.isFeed {
      list.refuse(.noAddress, entry: last.name ?? "")
    } else if let last = outlines.last, last.isEmpty, last.name != nil, let folder {
      list.append(emptyFolder: folder)
    }
    _ = outlines.popLast()
  }

  /// The folder of the open outlines.
  private var folder: FeedFolder? {
    let names = outlines.compactMap(\.name)
    // The names are cleaned again for each feed in the folder.
    budget.spend(names.count)
    return FeedFolder(names)
  }

  private func others(_ attributes: XMLAttributes) -> [String: String] {
    var others: [String: String] = [:]
    // The first attribute of a name counts, as everywhere; a later one may belong to a link. Blanks
    // that only control characters separated from the ends are trimmed too.
    if let type = attributes.value("type")?.withoutHiddenControls.trimmingWhiteSpace(),
      !type.isEmpty, type != "rss"
    {
      others["type"] = type
    }
    for index in 0..<attributes.count {
      guard others.count < Subscription.otherLimit, let attribute = attributes[index],
        attribute.prefix == nil
      else { continue }
      let name = String(outside: attribute.name)
      let value = attribute.text.withoutHiddenControls
      budget.spend(value.utf8.count)
      guard others[name] == nil, !Self.known.contains(name), Self.isPlainName(name),
        value.utf8.count <= Self.otherLength
      else { continue }
      others[name] = value
    }
    return others
  }

  /// Whether a name can be written back without escaping.
  private static func isPlainName(_ name: String) -> Bool {
    guard let first = name.utf8.first, 0x61...0x7A ~= first | 0x20, name.utf8.count <= 64 else {
      return false
    }
    return name.utf8.allSatisfy {
      0x61...0x7A ~= $0 | 0x20 || 0x30...0x39 ~= $0 || $0 == UInt8(ascii: "-")
        || $0 == UInt8(ascii: "_")
    }
  }
}
