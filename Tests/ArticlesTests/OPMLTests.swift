import Foundation
import PseudoTerminal
import Testing

@testable import Articles

@Suite struct OPMLTests {
  private func read(_ body: String) throws -> SubscriptionList {
    try OPML.read(Array("<opml version='1.0'><head/><body>\(body)</body></opml>".utf8))
  }

  @Test func `no control reaches what is written, and addresses keep theirs as numbers`() throws {
    let list = try read(
      "<outline xmlUrl='http://e.org/' htmlUrl='http://e.org/&#x202E;a\u{9B}b' x='1\u{9B}2\u{202E}3'/>"
    )
    #expect(list.subscriptions.first?.site == "http://e.org/%E2%80%AEa%C2%9Bb")
    #expect(list.subscriptions.first?.others == ["x": "123"])
    // What was stored before this was known.
    let stored = Subscription(address: "http://e.org/", site: "http://e.org/\u{9B}\u{202E}a")
    let written = OPML.text([stored])
    #expect(written.contains("htmlUrl=\"http://e.org/a\""))
    #expect(!written.unicodeScalars.contains { $0.isControl && $0 != "\n" })
  }

  @Test func `of two types of one entry the first counts, also where it is written back`() throws {
    let list = try read("<outline xmlUrl='http://e.org/' type='atom' type='link' x='1' x='2'/>")
    #expect(list.subscriptions.first?.others == ["type": "atom", "x": "1"])
    let again = try OPML.read(Array(OPML.text(list.subscriptions).utf8))
    #expect(again.refusals == [])
    #expect(again.subscriptions.first?.others == list.subscriptions.first?.others)
  }

  @Test func `an address is written back once, whatever the case of its name`() throws {
    let list = try read("<outline xmlURL='http://e.org/f' htmlURL='http://e.org/' x='1'/>")
    let feed = Subscription(address: "http://e.org/f", site: "http://e.org/", others: ["x": "1"])
    #expect(list.subscriptions.first?.others == feed.others)
    #expect(list.subscriptions.first?.site == feed.site)
  }

  @Test func `a list has folders in folders, titles and tags`() throws {
    let list = try OPML.read(
      Array(
        """
        \u{FEFF}<?xml version="1.0" encoding="ISO-8859-1"?>
        <!DOCTYPE opml>
        <opml version="2.0">
          <head><title>Mine</title><ownerName>Ann</ownerName></head>
          <body>
            <outline text="Tech &amp; more">
              <outline text="Swift" title="Swift">
                <outline type="rss" text="My Swift" title="Swift.org" xmlUrl="https://swift.org/f?a=1&b=2"
                  htmlUrl="https://swift.org/" category="/lang/swift,news" description="D" language="en"/>
              </outline>
              <outline text="No type" xmlUrl="http://example.org/rss"/>
            </outline>
            <outline title="Only title" xmlUrl="feed://example.com/atom" type="atom"/>
          </body>
        </opml>
        """.utf8))
    #expect(list.refusals.isEmpty)
    #expect(
      list.subscriptions == [
        Subscription(
          address: "https://swift.org/f?a=1&b=2", name: "My Swift", title: "Swift.org",
          site: "https://swift.org/", folder: FeedFolder(["Tech & more", "Swift"]),
          tags: ["/lang/swift", "news"], others: ["description": "D", "language": "en"]),
        Subscription(
          address: "http://example.org/rss", name: "No type", folder: FeedFolder(["Tech & more"])),
        Subscription(
          address: "http://example.com/atom", name: "Only title", others: ["type": "atom"]),
      ])
  }

  @Test func `what would do harm is left out and named, and the rest is taken over`() throws {
    let list = try read(
      """
      <outline text="Run" xmlUrl="exec:rm -rf ~"/>
      <outline text="Pipe" xmlUrl="filter:~/bin/x:https://example.org/"/>
      <outline text="File" xmlUrl="file:///etc/passwd"/>
      <outline text="Path" xmlUrl="/etc/passwd"/>
      <outline text="Case" xmlUrl=" EXEC:x"/>
      <outline text="Script" xmlUrl="javascript:alert(1)"/>
      <outline text="Other" xmlUrl="gopher://example.org"/>
      <outline text="Empty" xmlUrl="http://"/>
      <outline text="None" xmlUrl=""/>
      <outline text="No address" type="rss"/>
      <outline text="Page" type="link" url="https://example.org/list.opml"/>
      <outline text="Good" xmlUrl="https://example.org/feed"/>
      <outline text="E&#x1b;[31mvil&#x202e;" xmlUrl="exec:y"/>
      """)
    #expect(list.subscriptions.map(\.name) == ["Good"])
    #expect(
      list.refusals.map(\.reason) == [
        .program, .program, .file, .address, .program, .address, .address, .address, .noAddress,
        .noAddress, .address, .program,
      ])
    #expect(list.refusals.first?.entry == "Run (exec:rm -rf ~)")
    #expect(list.emptyFolders == [])
    for refusal in list.refusals {
      #expect(!refusal.sentence.isEmpty)
      #expect(refusal.entry.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\u{202E}" })
    }
  }

  @Test func `entities of its own, depth and size make a list refused`() throws {
    func failure(_ text: String) -> FeedError? {
      do throws(OPMLError) {
        _ = try OPML.read(Array(text.utf8))
        return nil
      } catch {
        guard case .document(let reason) = error else { return nil }
        return reason
      }
    }
    let bomb = """
      <!DOCTYPE opml [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>
      <opml><body><outline text="&b;" xmlUrl="https://example.org/"/></body></opml>
      """
    #expect(failure(bomb) == .ownEntity(name: "b"))
    let external = """
      <!DOCTYPE opml [<!ENTITY x SYSTEM "file:///etc/passwd">]>
      <opml><body><outline text="&x;" xmlUrl="https://example.org/"/></body></opml>
      """
    #expect(failure(external) == .ownEntity(name: "x"))
    let deep = String(repeating: "<outline text='x'>", count: 100_000)
    guard case .tooDeep? = failure("<opml><body>\(deep)") else {
      Issue.record("not refused for its depth")
      return
    }
    #expect(failure("<html><body>Sign in</body></html>") == .notAFeed(found: .html))
    #expect(failure("<rss/>") == .notAFeed(found: .xml(root: "rss")))
    #expect(failure("Dear all") == .notAFeed(found: .text))
    #expect(failure(" \n") == .empty)
    guard case .truncated? = failure("<opml><body><outline text='a' xmlUrl='http://a.b/'/>") else {
      Issue.record("half a list was taken over")
      return
    }
    #expect(throws: OPMLError.document(.tooLarge(limit: OPML.sizeLimit))) {
      try OPML.read([UInt8](repeating: 0x20, count: OPML.sizeLimit + 1))
    }
    #expect(throws: OPMLError.self) { try OPML.read([0, 1, 2, 0xFF]) }
  }

  @Test func `a feed that is listed twice is one, with the tags of both`() throws {
    let list = try read(
      """
      <outline text="A"><outline text="Feed" xmlUrl="https://a.b/f" category="x"/></outline>
      <outline text="B"><outline text="Again" xmlUrl="https://a.b/f" category="x,y"/></outline>
      """)
    #expect(
      list.subscriptions == [
        Subscription(
          address: "https://a.b/f", name: "Feed", folder: FeedFolder(["A"]), tags: ["x", "y", "B"])
      ])
  }

  @Test func `folders and names have a limit`() throws {
    let deep = (0..<30).map { "<outline text='\($0)'>" }.joined()
    let list = try read(
      deep + "<outline xmlUrl='https://a.b/'/>" + String(repeating: "</outline>", count: 30))
    #expect(list.subscriptions.first?.folder?.path == (0..<10).map(String.init))
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `what is written is read again, and goes through the store`(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    func text() -> String? {
      let text = generator.hostileText(length: 6)
      return NameList.cleaned([text]).first
    }
    var list = SubscriptionList()
    func folder() -> FeedFolder? {
      FeedFolder((0..<Int.random(in: 0...3, using: &generator)).compactMap { _ in text() })
    }
    for index in 0..<Int.random(in: 0...20, using: &generator) {
      let name = text()
      let title = text()
      list.append(
        Subscription(
          address: "https://example.org/\(index)?a=1&b=%3C", name: name ?? "Feed",
          title: title == name ? nil : title,
          site: Bool.random(using: &generator) ? "https://example.org/" : nil,
          folder: folder(),
          tags: (0..<2).compactMap { _ in text() },
          others: Bool.random(using: &generator)
            ? ["description": text() ?? "", "type": "atom"] : [:]))
    }
    for _ in 0..<Int.random(in: 0...5, using: &generator) {
      guard let folder = folder() else { continue }
      let others = list.subscriptions.compactMap(\.folder) + list.emptyFolders
      // A folder in which there is something, even another folder, is not empty.
      guard !others.contains(where: { $0.isWithin(folder) }) else { continue }
      list.append(emptyFolder: folder)
    }
    let empty = list.emptyFolders.filter { folder in
      !list.emptyFolders.contains { $0 != folder && $0.isWithin(folder) }
    }
    let written = OPML.text(list.subscriptions, emptyFolders: list.emptyFolders)
    let again = try OPML.read(Array(written.utf8))
    // Folders keep their feeds together, so the order may change.
    func sorted(_ list: SubscriptionList) -> [Subscription] {
      list.subscriptions.sorted { $0.address < $1.address }
    }
    #expect(sorted(again) == sorted(list))
    #expect(Set(again.emptyFolders) == Set(empty))
    // Once it is in this order, it stays so.
    #expect(OPML.text(again.subscriptions, emptyFolders: again.emptyFolders) == written)
    // Through the store as well.
    let shelf = try Shelf()
    _ = try await shelf.library.add(again)
    let out = OPML.text(
      try await shelf.library.subscriptions(), emptyFolders: try await shelf.library.emptyFolders())
    #expect(out == written)
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `no bytes make the reader fail in another way than it says`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var bytes = Array(
      "<opml><body><outline text='A'><outline text='b' xmlUrl='https://a.b/'/></outline></body></opml>"
        .utf8)
    for _ in 0..<Int.random(in: 1...8, using: &generator) {
      let place = Int.random(in: 0..<bytes.count, using: &generator)
      switch Int.random(in: 0..<3, using: &generator) {
      case 0: bytes[place] = .random(in: .min ... .max, using: &generator)
      case 1: bytes.insert(contentsOf: generator.hostileText(length: 3).utf8, at: place)
      default: bytes.removeSubrange(place..<min(bytes.count, place + 4))
      }
    }
    let list = try? OPML.read(bytes)
    for subscription in list?.subscriptions ?? [] {
      #expect(subscription.address.hasPrefix("http"))
    }
  }

  @Test func `a list goes into the library and out again`() async throws {
    let shelf = try Shelf()
    let known = try await shelf.put(["a"], in: "known")
    let list = try read(
      """
      <outline text="F"><outline text="G">
        <outline text="Name" title="Title" xmlUrl="https://example.org/new" htmlUrl="https://example.org/"
          category="t,u" type="atom" description="D"/>
        <outline text="Known" xmlUrl="https://example.org/known" category="k"/>
      </outline></outline>
      <outline text="Run" xmlUrl="exec:x"/>
      """)
    let report = try await shelf.library.add(list)
    #expect(report.added.map(\.address) == ["https://example.org/new"])
    #expect(report.known.map(\.address) == ["https://example.org/known"])
    #expect(report.refusals.count == 1)
    let summary = try #require(try await shelf.summary(known))
    #expect(summary.feed.title == "Known")
    #expect(summary.feed.tags == ["k"])
    #expect(summary.feed.folder?.path == ["F", "G"])
    let again = try await shelf.library.add(list)
    #expect(again.added.isEmpty)

    let text = OPML.text(try await shelf.library.subscriptions())
    let out = try OPML.read(Array(text.utf8)).subscriptions
    #expect(out.first { $0.name == "Name" } == list.subscriptions.first)
    #expect(out.count == 2)
  }

  @Test func `a list that was edited changes titles, folders and tags, and undo takes that back`()
    async throws
  {
    let shelf = try Shelf()
    let (moved, renamed, same) = (
      try await shelf.put(["a"], in: "moved"), try await shelf.put(["b"], in: "renamed"),
      try await shelf.put(["c"], in: "same")
    )
    try await shelf.library.arrange(moved, as: FeedArrangement(folder: FeedFolder(["Old"])))
    try await shelf.library.arrange(renamed, as: FeedArrangement(tags: ["mine"]))
    let before = try await shelf.library.subscriptions()
    let text = OPML.text(before)
    #expect(try await shelf.library.add(try OPML.read(Array(text.utf8))).updated.isEmpty)
    #expect(try await shelf.library.subscriptions() == before)

    let edited =
      text
      .replacing("text=\"Old\"", with: "text=\"New\"")
      .replacing("text=\"renamed\"", with: "text=\"Better\" category=\"theirs\"")
      .replacing(" category=\"mine\"", with: "")
    let report = try await shelf.library.add(try OPML.read(Array(edited.utf8)))
    #expect(
      Set(report.updated.map(\.address)) == [
        "https://example.org/moved", "https://example.org/renamed",
      ])
    #expect(report.renamed.map(\.address) == ["https://example.org/renamed"])
    #expect(report.moved.map(\.address) == ["https://example.org/moved"])
    #expect(report.known.count == 3)
    #expect(try await shelf.summary(moved)?.feed.folder?.path == ["New"])
    #expect(try await shelf.summary(moved)?.feed.customTitle == nil)
    #expect(try await shelf.summary(renamed)?.feed.title == "Better")
    #expect(try await shelf.summary(renamed)?.feed.tags == ["mine", "theirs"])
    #expect(try await shelf.summary(same)?.feed.customTitle == nil)

    let undone = try await shelf.library.undo()
    #expect(undone?.kind == .importedFeeds)
    #expect(undone?.count == 2)
    #expect(try await shelf.library.subscriptions() == before)
  }

  @Test func `a title that the user gave a feed stays, whatever a list calls it`() async throws {
    let shelf = try Shelf()
    let feed = try await shelf.put(["a"])
    try await shelf.library.arrange(feed, as: FeedArrangement(title: "Mine"))
    for title in ["Theirs", "Feed"] {
      let report = try await shelf.library.add(
        try read(
          "<outline text='\(title)' title='\(title)' xmlUrl='https://example.org/feed'/>"))
      #expect(report.updated.isEmpty)
      #expect(try await shelf.summary(feed)?.feed.customTitle == "Mine")
    }
    let own = try NewsboatList.read(Array("https://example.org/feed \"~New\"\n".utf8))
    #expect(try await shelf.library.add(own).renamed.count == 1)
    #expect(try await shelf.summary(feed)?.feed.customTitle == "New")
  }

  @Test func `only in the user's own list are files and programs of this machine feeds`() throws {
    let text = OPML.text([
      Subscription(address: "file:///home/ann/a%20b.xml"), Subscription(address: "exec:notes"),
      Subscription(address: "filter:tidy:https://example.org/"),
      Subscription(address: "exec:unknown"),
    ])
    #expect(text.contains("text=\"file:///home/ann/a%20b.xml\""), "it has no title")
    let foreign = try OPML.read(Array(text.utf8), programs: ["notes", "tidy"])
    #expect(foreign.subscriptions.isEmpty)
    #expect(foreign.refusals.map(\.reason) == [.file, .program, .program, .program])
    #expect(foreign.refusals.first?.sentence.contains("argyle feeds import --own") == true)
    let own = try OPML.read(Array(text.utf8), isOwn: true, programs: ["notes", "tidy"])
    #expect(
      own.subscriptions.map(\.address) == [
        "file:///home/ann/a%20b.xml", "exec:notes", "filter:tidy:https://example.org/",
      ])
    #expect(own.refusals.map(\.reason) == [.program])
  }

  @Test(arguments: ["Mine", "Theirs"])
  func `a title of a list stays unless it is the feed's own`(own: String) async throws {
    let shelf = try Shelf()
    // Other readers export one title twice.
    let list = try read(
      "<outline text='Mine' title='Mine' xmlUrl='https://example.org/feed'/>")
    _ = try await shelf.library.add(list)
    let feed = try #require(await shelf.store.feeds(in: .all).first?.feed.id)
    #expect(try await shelf.summary(feed)?.feed.title == "Mine")
    #expect(try await shelf.library.add(list).updated.isEmpty)
    for title in [own, "Later"] {
      _ = try await shelf.store.save(
        PreparedFeed(ParsedFeed(title: title)), of: feed, at: shelf.today.now)
      #expect(try await shelf.summary(feed)?.feed.title == (own == "Mine" ? title : "Mine"))
      if title == own { #expect(try await shelf.library.add(list).updated.isEmpty) }
    }
  }

  @Test func `a title of the user's stays when the feed has it for a while`() async throws {
    let shelf = try Shelf()
    let feed = try await shelf.put(["a"])
    try await shelf.library.arrange(feed, as: FeedArrangement(title: "Mine"))
    for title in ["Mine", "Theirs"] {
      _ = try await shelf.store.save(
        PreparedFeed(ParsedFeed(title: title)), of: feed, at: shelf.today.now)
      #expect(try await shelf.summary(feed)?.feed.title == "Mine")
    }
  }

  @Test func `an address in place of a title is no title of a new feed`() async throws {
    let shelf = try Shelf()
    let feed = "<outline text='https://example.org/new' xmlUrl='https://example.org/new'/>"
    _ = try await shelf.library.add(try read(feed))
    #expect(try await shelf.store.feeds(in: .all).map(\.feed.customTitle) == [nil])
  }

  @Test func `a list without any folder moves no feed`() async throws {
    let shelf = try Shelf()
    let feed = try await shelf.put(["a"])
    try await shelf.library.arrange(feed, as: FeedArrangement(folder: FeedFolder(["F"])))
    _ = try await shelf.library.add(
      try read("<outline text='Mine' xmlUrl='https://example.org/feed'/>"))
    #expect(try await shelf.summary(feed)?.feed.folder?.path == ["F"])
    #expect(try await shelf.summary(feed)?.feed.title == "Mine")
    _ = try await shelf.library.add(
      try read(
        """
        <outline text='https://example.org/feed' xmlUrl='https://example.org/feed'/>
        <outline text='G'><outline text='b' xmlUrl='https://example.org/b'/></outline>
        """))
    #expect(try await shelf.summary(feed)?.feed.folder == nil)
    #expect(try await shelf.summary(feed)?.feed.title == "Mine", "an address is not a title")
  }

  @Test func `a removed feed comes back with the folder and the title of the list`() async throws {
    let shelf = try Shelf()
    let feed = try await shelf.put(["a", "b"])
    try await shelf.library.setRead(true, of: [try await shelf.id("a")])
    try await shelf.library.remove(feed)
    let report = try await shelf.library.add(
      try read(
        """
        <outline text='F'>
          <outline text='Mine' xmlUrl='https://ann:secret@example.org/feed' category='t'/>
        </outline>
        """))
    #expect(report.added.count == 1)
    let summary = try #require(try await shelf.summary(feed))
    #expect(summary.feed.title == "Mine")
    #expect(summary.feed.folder?.path == ["F"])
    #expect(summary.feed.tags == ["t"])
    #expect(try await shelf.titles(.unread) == ["b"])
    #expect(try await shelf.store.feeds(in: .feed(feed)).first?.credentials?.text == "ann:secret")
    try await shelf.library.undo()
    #expect(try await shelf.summary(feed) == nil)
  }

  @Test func `a folder without feeds is handed on until it has some`() async throws {
    let shelf = try Shelf()
    let list = try read(
      """
      <outline text="A"><outline text="Empty"/></outline>
      <outline text="Run"><outline text="x" xmlUrl="exec:x"/></outline>
      <outline text="B"><outline text="Feed" xmlUrl="https://example.org/f"/></outline>
      """)
    #expect(list.emptyFolders.map(\.path) == [["A", "Empty"]])
    _ = try await shelf.library.add(list)
    #expect(try await shelf.library.emptyFolders().map(\.path) == [["A", "Empty"]])
    _ = try await shelf.library.add(
      try read(
        "<outline text='A'><outline text='Empty'><outline xmlUrl='https://b.c/'/></outline></outline>"
      ))
    #expect(try await shelf.library.emptyFolders().isEmpty)
  }

  @Test func `a password is not handed over to another reader`() async throws {
    let shelf = try Shelf()
    let list = try read("<outline text='A' xmlUrl='https://ann:secret@example.org/f'/>")
    _ = try await shelf.library.add(list)
    let text = OPML.text(try await shelf.library.subscriptions())
    #expect(text.contains("https://example.org/f"))
    #expect(!text.contains("secret"))
    let stored = try await shelf.store.feeds(in: .all).first
    #expect(stored?.credentials?.text == "ann:secret")
  }
}
