import Limits

/// Builds a ``ParsedFeed`` from the events of an XML parser.
///
/// Only direct children of a channel or an entry count as its fields, so that the title of an image
/// or of a quoted source is never taken for the article's.
struct FeedBuilder: XMLBuilder {
  /// The deepest nesting of elements; libxml2's own limit applies to nodes of a tree, which is not
  /// built here.
  static let depthLimit = 256

  private(set) var feed = ParsedFeed()
  /// How many elements are open.
  private var depth = 0

  private let address: String
  private let budget: Budget
  private var vocabulary = Vocabulary()
  private var isAtom = false
  private var rootNamespace: UnsafePointer<UInt8>?
  private var channelDepth: Int?
  private var entry: EntryFields?
  private var entryDepth = 0
  private var personDepth: Int?
  /// The depth of an open `media:content` that is a picture, with a title and a description of its own.
  private var pictureDepth: Int?
  private var channelAuthor = "" {
    didSet { feed.author = PersonName.name(in: channelAuthor) }
  }
  private var capture = TextCapture()
  private var capturedField: (space: Space, name: ElementName)?
  private var bases: [(depth: Int, address: String)] = []
  /// The base of relative addresses where the feed names none.
  private var home: String

  init(address: String, budget: Budget) {
    (self.address, self.budget) = (address, budget)
    home = address
  }

  // MARK: Events

  mutating func start(
    name text: UnsafePointer<UInt8>, prefix: UnsafePointer<UInt8>?, uri: UnsafePointer<UInt8>?,
    attributes: XMLAttributes
  ) throws(FeedError) {
    depth += 1
    if capture.isOpen {
      capture.startElement(text, attributes: attributes)
      return
    }
    let name = vocabulary.name(text)
    if depth == 1 { try startRoot(name, text: text, uri: uri) }
    if attributes.count > 0, let base = attributes.value("base", prefix: "xml") {
      // A web feed with a base on this machine could otherwise make the program show local files.
      let address = WebAddress.picture(base, against: self.base, budget: budget) ?? self.base
      bases.append((depth, address))
    }
    let space = space(uri: uri, prefix: prefix)
    switch name {
    case .channel where space == .rss && entry == nil, .feed where depth == 1:
      channelDepth = depth
      noteAddressAttribute(attributes)
    case .item where space == .rss && entry == nil, .entry where space == .atom && entry == nil:
      entryDepth = depth
      entry = EntryFields(base: base, fileBase: fileBase, budget: budget)
      entry?.id = attributes.value("about", prefix: "rdf") ?? ""
      noteAddressAttribute(attributes)
    case .other: break
    default: startField(name, space, attributes)
    }
  }

  mutating func end(name text: UnsafePointer<UInt8>) {
    defer {
      if let last = bases.last, last.depth == depth { bases.removeLast() }
      depth -= 1
    }
    if capture.isOpen {
      guard depth == capture.depth else {
        capture.endElement(text)
        return
      }
      let captured = capture.close(budget: budget)
      if let capturedField { store(captured, as: capturedField.name, in: capturedField.space) }
      return
    }
    if depth == personDepth { personDepth = nil }
    if depth == pictureDepth { pictureDepth = nil }
    if depth == entryDepth, let entry {
      var article = entry.article(channelAuthor: channelAuthor)
      // RSS has no base; authors mean the page that the text was copied from.
      if bases.isEmpty, !isAtom, let link = article.link { article.base = link }
      feed.articles.append(article)
      budget.require(feed.articles.count, atMost: FeedParser.articleLimit, .articles)
      self.entry = nil
    }
  }

  mutating func characters(_ text: UnsafeBufferPointer<UInt8>) {
    if capture.isOpen { capture.characters(text) }
  }

  // MARK: Elements

  private var base: String { bases.last?.address ?? home }

  /// The base of the addresses of attachments, which lie beside the document, also on another server.
  private var fileBase: String {
    bases.last?.address ?? (WebAddress.web(address) == nil ? home : address)
  }

  /// Reads the attributes in which CDF, the oldest feed format, has addresses and dates.
  private mutating func noteAddressAttribute(_ attributes: XMLAttributes) {
    guard !isAtom, attributes.count > 0 else { return }
    if let address = attributes.value("HREF") { note(link: address) }
    if let date = attributes.value("LASTMOD") { entry?.noteUpdate(date) }
  }

  private mutating func startRoot(
    _ name: ElementName, text: UnsafePointer<UInt8>, uri: UnsafePointer<UInt8>?
  ) throws(FeedError) {
    rootNamespace = uri
    switch name {
    case .feed: isAtom = true
    case .rss, .rdf, .channel: break
    default:
      let root = String(outside: text)
      let isHTML = root.lowercased() == "html"
      if ["rss", "rdf"].contains(root.lowercased()) { return }
      throw .notAFeed(found: isHTML ? .html : .xml(root: root))
    }
  }

  private mutating func space(uri: UnsafePointer<UInt8>?, prefix: UnsafePointer<UInt8>?) -> Space {
    // The kind of the outermost element is known from its name, whatever namespace it claims.
    if uri == rootNamespace, uri != nil || prefix == nil { return isAtom ? .atom : .rss }
    if let uri { return vocabulary.space(uri) { Space(uri: $0) } }
    if let prefix { return vocabulary.space(prefix) { Space(undeclaredPrefix: $0) } }
    return isAtom ? .atom : .rss
  }

  private mutating func startField(_ name: ElementName, _ space: Space, _ attributes: XMLAttributes)
  {
    let isChildOfEntry = entry != nil && depth == entryDepth + 1
    let isChildOfChannel = entry == nil && depth == (channelDepth ?? -1) + 1
    let isChildOfPerson = depth == (personDepth ?? -1) + 1
    // The description of a video is inside a group, and so are chapters.
    let isMedia = (space == .media || space == .simpleChapters) && entry != nil
    guard isChildOfEntry || isChildOfChannel || isChildOfPerson || isMedia else { return }
    if entry != nil, noteAttachment(name, space, attributes) { return }

    switch (space, name) {
    case (.atom, .author) where !isChildOfPerson:
      personDepth = depth
    case (.atom, .name), (.atom, .email):
      if isChildOfPerson { open(name, space, .plain) }
    case (.atom, .link):
      noteLink(attributes)
    case (.rss, .link):
      if let address = attributes.value("href") {
        note(link: address)
      } else {
        open(name, space, .plain)
      }
    case (.rss, .guid):
      entry?.guidIsLink = attributes.value("isPermaLink")?.lowercased() != "false"
      open(name, space, .plain)
    case (.atom, .title), (.atom, .summary), (.atom, .content):
      openAtomText(name, attributes)
    case (.xhtml, .body):
      open(name, space, .xhtml)
    case (.rss, .title), (.rss, .description), (.rss, .summary), (.rss, .abstract), (.rss, .body),
      (.rss, .fullitem), (.content, .encoded), (.itunes, .summary):
      open(name, space, .html)
    case (.media, .description), (.media, .title):
      let isHTML = attributes.value("type")?.lowercased() == "html"
      if pictureDepth == nil { open(name, space, isHTML ? .html : .text) }
    case (.dublinCore, .description):
      open(name, space, .text)
    case (.rss, .content), (.media, _), (.xhtml, _), (.other, _), (.content, _), (.podcast, _),
      (.simpleChapters, _):
      break
    default:
      open(name, space, .plain)
    }
  }

  /// Adds an attachment; returns whether the element described one.
  private mutating func noteAttachment(
    _ name: ElementName, _ space: Space, _ attributes: XMLAttributes
  ) -> Bool {
    let address = attributes.value("url")
    switch (space, name) {
    case (.rss, .enclosure):
      entry?.attach(
        address, type: attributes.value("type"), byteCount: attributes.value("length"))
    case (.media, .content):
      let type = attributes.value("type") ?? attributes.value("medium")
      let kind = Attachment(address: address ?? "", type: type).kind
      if pictureDepth == nil, kind == .picture { pictureDepth = depth }
      // The program in YouTube's feeds, at an address where there is nothing any more. Others give
      // that type to films.
      let isFlash = type?.lowercased().hasPrefix("application/x-shockwave-flash") == true
      guard kind != .other || !isFlash else { break }
      entry?.attach(
        address, type: type, byteCount: attributes.value("fileSize"),
        seconds: attributes.value("duration"))
    case (.media, .thumbnail): entry?.attach(address, type: "image")
    case (.podcast, .transcript):
      let type = Attachment.transcript(
        attributes.value("type"), language: attributes.value("language"))
      entry?.attach(address, type: type)
    case (.podcast, .chapters): entry?.attach(address, type: Attachment.chaptersType)
    case (.simpleChapters, .chapter):
      if let start = attributes.value("start"), let title = attributes.value("title") {
        entry?.chapters.add(title, at: start)
      }
    case (.itunes, .image): entry?.attach(attributes.value("href"), type: "image")
    default: return false
    }
    return true
  }

  private mutating func openAtomText(_ name: ElementName, _ attributes: XMLAttributes) {
    let type = attributes.value("type")?.lowercased() ?? "text"
    let kind: TextCapture.Kind? =
      switch (type, attributes.value("mode")) {
      case (_, "base64"): .base64
      case ("xhtml", _), ("application/xhtml+xml", _): .xhtml
      case ("html", _), ("text/html", _), (_, "escaped"): .html
      case ("text", "xml"): .xhtml
      case ("", _), ("text", _), ("text/plain", _): .text
      case _ where type.hasSuffix("xml") || type.hasPrefix("multipart/"): nil
      default: .base64
      }
    if let kind { open(name, .atom, kind) }
    let base = base
    if name == .content { entry?.base = base }
    if name == .content, let source = attributes.value("src") { entry?.contentSource = source }
  }

  private mutating func open(_ name: ElementName, _ space: Space, _ kind: TextCapture.Kind) {
    capturedField = (space, name)
    capture.open(kind, depth: depth)
  }

  private mutating func noteLink(_ attributes: XMLAttributes) {
    guard let address = attributes.value("href") else { return }
    switch attributes.value("rel")?.lowercased() ?? "alternate" {
    case "alternate", "": note(link: address, type: attributes.value("type"))
    case "enclosure":
      entry?.attach(
        address, type: attributes.value("type"), byteCount: attributes.value("length"))
    default: break
    }
  }

  /// Keeps the first link, but prefers a web page to another form of the entry.
  private mutating func note(link: String, type: String? = nil) {
    let isPage = type.map(Attachment.isPage) ?? true
    let address = WebAddress.web(link, against: base, budget: budget)
    if entry != nil {
      if isPage, entry?.linkIsPage != true || entry?.link == nil {
        entry?.link = address
        entry?.linkIsPage = true
      } else if entry?.link == nil {
        entry?.link = address
      }
    } else if feed.site == nil {
      feed.site = address
      // RSS does not say what is relative to what. A feed that another server distributes, a file
      // or a program has not moved the articles of its site.
      if let address, !isAtom, Self.server(of: address) != Self.server(of: self.address) {
        home = address
      }
    }
  }

  /// Returns the host name without `www.`: nearly every server has the same pages with and without it.
  private static func server(of address: String) -> Substring? {
    WebAddress.host(of: address).map { $0.hasPrefix("www.") ? $0.dropFirst(4) : $0[...] }
  }

  // MARK: Fields

  private mutating func store(_ captured: CapturedText, as name: ElementName, in space: Space) {
    if depth == (personDepth ?? -1) + 1 {
      storePerson(captured.name, name)
    } else if entry != nil {
      if name == .link { note(link: captured.text) }
      entry?.store(captured, as: name, in: space)
    } else {
      storeChannelField(captured, as: name, in: space)
    }
  }

  private mutating func storeChannelField(
    _ captured: CapturedText, as name: ElementName, in space: Space
  ) {
    switch (space, name) {
    case (.itunes, .title), (.media, .title): break
    case (_, .title): if feed.title.isEmpty { feed.title = captured.line(budget: budget) }
    case (_, .link): note(link: captured.text)
    case (.rss, .author), (.rss, .managingEditor), (.itunes, .author), (.dublinCore, .creator),
      (.dublinCore, .author):
      if channelAuthor.isEmpty { channelAuthor = captured.name }
    default: break
    }
  }

  private mutating func storePerson(_ text: String, _ name: ElementName) {
    let isEntry = entry != nil
    let known = isEntry ? entry?.author ?? "" : channelAuthor
    guard known.isEmpty || (name == .name && known.utf8.contains(UInt8(ascii: "@"))) else {
      return
    }
    if isEntry { entry?.author = text } else { channelAuthor = text }
  }
}
