import Articles
import Loading
import TerminalUI
import TerminalUITesting
import Testing

@testable import Argyle

/// Tests of the sheets in which feeds are added and edited.
///
/// The expected frames are written by hand.
@MainActor
@Suite struct FeedSheetTests {
  private func feedList(_ number: Int64) -> ReaderList {
    .feeds(.feed(Feed.ID(rawValue: number)))
  }

  @Test func `an address is typed, looked for, and what is wrong with it stands below it`() throws {
    let reader = FeedSheetReader()
    reader.stage.press("a")
    #expect(
      reader.stage.lines == [
        "Feeds                      │ All articles",
        "All articles             3 │",
        "Unread                   3 │",
        "Today                      │",
        "★ Starred                  │",
        "▾ News                   2 │",
        "  ▾ Tech                 1 │",
        "    Gamma                1 │",
        "  Beta                   1 │",
        "Alpha      ╭─ Add a feed ──────────────────────────────────────────╮",
        "           │ example.org                                           │",
        "           │                                                       │",
        "           │ The address of a feed or a web site, or the path of   │",
        "           │ a file, a folder of Markdown or a list in OPML.       │",
        "           ╰───────────────────────────────────────────────────────╯",
        "                           │",
        "                           │",
        "                           │",
        "                           │",
        "                           │",
        "                           │",
        "                           │",
        "                           │",
        "Enter add  Esc cancel",
      ])
    reader.submit("x.y")
    #expect(reader.additions[0].input == "x.y")
    reader.stage.advance(by: .milliseconds(200))
    #expect(
      reader.stage.lines[8...13] == [
        "  Beta     ╭─ Add a feed ──────────────────────────────────────────╮",
        "Alpha      │ x.y                                                   │",
        "           │ ⠹ Looking for a feed                                  │",
        "           │                                                       │",
        "           │ The address of a feed or a web site, or the path of   │",
        "           │ a file, a folder of Markdown or a list in OPML.       │",
      ])
    reader.additions[0].fail(FetchError.fileMissing(path: "/x.y"))
    reader.stage.settle()
    #expect(
      reader.stage.lines[7...16] == [
        "    Gamma  ╭─ Add a feed ──────────────────────────────────────────╮",
        "  Beta     │ x.y                                                   │",
        "Alpha      │ ✗ There is no such file.                              │",
        "           │ Check the path.                                       │",
        "           │ /x.y                                                  │",
        "           │ [ Add it all the same ]                               │",
        "           │                                                       │",
        "           │ The address of a feed or a web site, or the path of   │",
        "           │ a file, a folder of Markdown or a list in OPML.       │",
        "           ╰───────────────────────────────────────────────────────╯",
      ])
    // Enter tries the same address again.
    reader.stage.press(.enter)
    #expect(reader.additions.count == 2)
    reader.stage.press(.escape)
    #expect(reader.additions[1].isCancelled)
  }

  @Test func `on a narrow screen the advice of the form fills its lines`() {
    let reader = FeedSheetReader(40, 15)
    reader.model.showsFeeds = true
    reader.stage.settle()
    reader.stage.press("a")
    #expect(
      reader.stage.lines.filter { $0.hasPrefix("│") } == [
        "│ example.org                          │", "│                                      │",
        "│ The address of a feed or a web       │", "│ site, or the path of a file, a       │",
        "│ folder of Markdown or a list in      │", "│ OPML.                                │",
      ])
  }

  @Test func `what was refused as a mistake is added all the same if the user insists`() throws {
    let reader = FeedSheetReader(60, 16)
    reader.stage.press("a")
    reader.submit("x.y")
    reader.additions[0].fail(FetchError.noMarkdown(path: "/x.y"))
    reader.stage.settle()
    #expect(reader.stage.text.contains("There is no Markdown file in this folder."))
    #expect(reader.asked.all.isEmpty)
    reader.stage.press(.tab, .enter)
    #expect(reader.asked.all == ["keep x.y"])
    reader.additions[1].succeed(.added(FeedSheetReader.feeds[0].feed, failure: nil))
    reader.stage.settle()
    #expect(reader.model.feedEditor.sheet == nil)
    #expect(reader.model.notice.latestValue == Notice(words: "Added “Alpha”.", hint: .undo))
  }

  @Test func `an address that is corrected is not added unseen in place of the refused one`() {
    let reader = FeedSheetReader(60, 16)
    reader.stage.press("a")
    reader.submit("x.y")
    reader.additions[0].fail(FetchError.noMarkdown(path: "/x.y"))
    reader.stage.settle()
    #expect(reader.stage.text.contains("Add it all the same"))
    reader.stage.type("z")
    #expect(!reader.stage.text.contains("Add it all the same"))
    reader.stage.press(.tab, .enter)
    #expect(reader.asked.all.isEmpty)
    #expect(reader.additions[1].input == "x.yz")
  }

  @Test func `an address is added once although Enter is pressed again meanwhile`() {
    let reader = FeedSheetReader()
    reader.stage.press("a")
    reader.submit("x.y")
    reader.stage.press(.enter)
    #expect(reader.additions.inputs == ["x.y"])
    #expect(!reader.additions[0].isCancelled)
    reader.submit("z")
    #expect(reader.additions.inputs == ["x.y", "x.yz"])
  }

  @Test func `typing cancels the search for the address that was typed before`() {
    let reader = FeedSheetReader()
    reader.stage.press("a")
    reader.submit("x.y")
    reader.stage.type("z")
    #expect(reader.additions[0].isCancelled)
    #expect(!reader.model.feedEditor.addition.isLoading)
    #expect(reader.model.feedEditor.sheet == .add)
    #expect(reader.model.feedEditor[.address] == "x.yz")
  }

  @Test func `several feeds of a page are a list to choose from`() throws {
    let reader = FeedSheetReader(60, 16)
    reader.stage.press("a")
    reader.submit("x.y")
    reader.additions[0].succeed(
      .choices([
        FeedLink(address: "http://x.y/1", title: "Articles"), FeedLink(address: "http://x.y/2"),
      ]))
    reader.stage.settle()
    #expect(
      reader.stage.lines == [
        "All articles", "", "",
        " ╭─ Add a feed ──────────────────────────────────────────╮",
        " │ x.y                                                   │",
        " │ The page has 2 feeds. Which one?                      │",
        " │ Articles                                              │",
        " │ http://x.y/1                                          │",
        " │ http://x.y/2                                          │",
        " │                                                       │",
        " │ The address of a feed or a web site, or the path of   │",
        " │ a file, a folder of Markdown or a list in OPML.       │",
        " ╰───────────────────────────────────────────────────────╯", "", "",
        "Tab next field  Enter add  Esc cancel",
      ])
    reader.stage.press("j", .enter)
    #expect(reader.additions[1].input == "http://x.y/2")
    reader.additions[1].succeed(.added(FeedSheetReader.feeds[0].feed, failure: nil))
    reader.stage.settle()
    #expect(reader.model.feedEditor.sheet == nil)
    #expect(reader.model.list == feedList(1))
    #expect(reader.model.notice.latestValue == Notice(words: "Added “Alpha”.", hint: .undo))
  }

  @Test func `of a page whose feed is there already the others are a list to choose from`() throws {
    let reader = FeedSheetReader(60, 18)
    reader.stage.press("a")
    reader.submit("x.y")
    let others = [
      FeedLink(address: "http://x.y/1", title: "Comments"), FeedLink(address: "http://x.y/2"),
    ]
    reader.additions[0].succeed(.others(others))
    reader.stage.settle()
    #expect(
      reader.stage.lines[5...11] == [
        " │ x.y                                                   │",
        " │ You already have this feed. The page has others:      │",
        " │ Comments                                              │",
        " │ http://x.y/1                                          │",
        " │ http://x.y/2                                          │",
        " │                                                       │",
        " │ The address of a feed or a web site, or the path of   │",
      ])
    reader.stage.press("j", .enter)
    #expect(reader.additions[1].input == "http://x.y/2")
    reader.additions[1].succeed(.added(FeedSheetReader.feeds[0].feed, failure: nil, others: others))
    reader.stage.settle()
    #expect(
      reader.model.notice.latestValue??.words
        == "Added “Alpha”. The page has 2 other feeds; add it again to choose one.")
  }

  @Test(arguments: [(1, "article is"), (2_000, "2000 articles are")])
  func `a new feed with more articles than are kept says so`(count: Int, words: String) {
    let reader = FeedSheetReader(60, 18)
    reader.stage.press("a")
    reader.submit("x.y")
    reader.additions[0].succeed(.added(FeedSheetReader.feeds[0].feed, failure: nil, dropped: count))
    reader.stage.settle()
    #expect(
      reader.model.notice.latestValue??.words == "Added “Alpha”. Its oldest \(words) not kept.")
  }

  @Test func `a list that is imported says how many feeds it changed, and how to undo that`() {
    let reader = FeedSheetReader()
    let feeds = ["x", "y"].map { Subscription(address: "http://a/\($0)", name: $0) }
    var report = ImportReport()
    (report.known, report.updated) = (feeds, feeds)
    (report.renamed, report.moved) = ([feeds[1]], feeds)
    reader.stage.press("a")
    reader.submit("/l.opml")
    reader.additions[0].succeed(.imported(report))
    reader.stage.settle()
    #expect(
      reader.model.notice.latestValue
        == Notice(words: "Added 0 feeds, updated 2 feeds (1 renamed, 2 moved).", hint: .undo))
  }

  @Test func `a list with entries that are left out offers to fetch the others once it is closed`()
  {
    let reader = FeedSheetReader()
    var report = ImportReport()
    report.added = [Subscription(address: "http://a/x", name: "x")]
    report.refusals = [SubscriptionList.Refusal(reason: .address, entry: "y")]
    reader.stage.press("a")
    reader.submit("/l.opml")
    reader.additions[0].succeed(.imported(report))
    reader.stage.settle()
    #expect(reader.stage.lines.contains { $0.contains("Added 1 feed, 1 entry left out.") })
    #expect(reader.model.notice.latestValue ?? nil == nil)
    reader.stage.press(.escape)
    #expect(
      reader.model.notice.latestValue
        == Notice(words: "Added 1 feed, 1 entry left out.", hint: .fetchAll))
  }

  @Test func `a feed is edited: its title, its tags and its folder, one of those there are`() throws
  {
    let reader = FeedSheetReader(selected: feedList(2))
    reader.stage.press(.tab, "e")
    #expect(
      reader.stage.lines == [
        "Feeds                      │ Beta",
        "All articles             3 │",
        "Unread                   3 │",
        "Today                      │",
        "★ Starred                  │",
        "▾ News                   2 │",
        "  ▾ Tech                 1 │",
        "    Gamma    ╭─ Edit feed ────────────────────────────────────────╮",
        "  Beta       │ Title   Beta                                       │",
        "Alpha        │ Tags    b, c                                       │",
        "             │ Reload ‹ as configured   ›                         │",
        "             │ Folder  News                                       │",
        "             │         News                                       │",
        "             │         News / Tech                                │",
        "             │ Text   ‹ as configured           ›                 │",
        "             │ Address http://a/2                                 │",
        "             ╰────────────────────────────────────────────────────╯",
        "                           │",
        "                           │",
        "                           │",
        "                           │",
        "                           │",
        "                           │",
        "Tab next field  Enter save  Esc cancel",
      ])
    reader.stage.press(.control("u"))
    reader.stage.type("Mine")
    reader.stage.press(.tab)
    reader.stage.type(",d")
    reader.stage.press(.tab, .right, .tab, .control("u"))
    reader.stage.type("te")
    reader.stage.press(.down, .enter, .enter)
    #expect(reader.asked.all == [#"2 Mine ["News", "Tech"] ["b", "c", "d"] 0"#])
    #expect(reader.model.notice.latestValue == Notice(words: "Changed “Mine”.", hint: .undo))
  }

  @Test func `a feed gets another address, unless that is refused: then the form stays`() throws {
    let reader = FeedSheetReader(selected: feedList(2))
    reader.stage.press(.tab, "e", .backTab, .control("u"))
    reader.submit("example.net/feed")
    reader.addresses[0].fail(LibraryError.alreadyAdded(address: "https://example.net/feed"))
    reader.stage.settle()
    #expect(reader.stage.text.contains("✗ You already have this feed."))
    reader.submit("2")
    #expect(reader.addresses[1].input == "example.net/feed2")
    let address = "https://example.net/feed2"
    reader.addresses[1].succeed(
      Feed(id: Feed.ID(rawValue: 2), address: address, title: "Beta", folder: nil, tags: []))
    reader.stage.settle()
    #expect(reader.model.feedEditor.sheet == nil)
    #expect(reader.asked.all == [])
    #expect(
      reader.model.notice.latestValue
        == Notice(words: "“Beta” is fetched from \(address) from now on.", hint: .undo))
  }

  @Test func `a change of address is not cancelled by typing, even after one that was refused`() {
    let reader = FeedSheetReader(selected: feedList(2))
    reader.stage.press(.tab, "e", .backTab, .control("u"))
    reader.submit("example.net/feed")
    reader.addresses[0].fail(LibraryError.alreadyAdded(address: "https://example.net/feed"))
    reader.stage.settle()
    reader.stage.press(.enter)
    reader.stage.type("2")
    #expect(!reader.addresses[1].isCancelled)
    reader.addresses[1].fail(LibraryError.alreadyAdded(address: "https://example.net/feed"))
    reader.stage.settle()
    #expect(reader.stage.text.contains("✗ You already have this feed."))
  }

  @Test func `what nobody changed is not stored, and a feed keeps its own title`() throws {
    let reader = FeedSheetReader(selected: feedList(2))
    reader.stage.press(.tab, "e", .enter)
    #expect(reader.model.feedEditor.sheet == nil)
    reader.stage.press("e", .tab)
    reader.submit(",d")
    #expect(reader.asked.all == [#"2 nil ["News"] ["b", "c", "d"] as configured"#])
  }

  @Test func `a folder is removed, and its feeds stay`() throws {
    for (path, place) in [(["News", "Tech"], "in “News”"), (["News"], "in no folder")] {
      let folder = try #require(FeedFolder(path))
      let reader = FeedSheetReader(selected: .feeds(.folder(folder)))
      reader.stage.press(.tab, "x")
      #expect(reader.asked.all == ["remove \(path)"])
      #expect(
        reader.model.notice.latestValue
          == Notice(
            words: "Removed the folder “\(folder.text)”; what was in it is \(place) now.",
            hint: .undo))
    }
  }

  @Test func `a feed that goes into a closed folder stays in sight`() throws {
    let (news, tech) = (
      try #require(FeedFolder(["News"])), try #require(FeedFolder(["News", "Tech"]))
    )
    let reader = FeedSheetReader(selected: feedList(1))
    reader.model.prepare()
    reader.stage.settle()
    reader.model.setClosed(true, news)
    reader.model.setClosed(true, tech)
    reader.stage.settle()
    reader.stage.press(.tab, "e", .tab, .tab, .tab)
    reader.submit("News/Tech")
    #expect(reader.asked.all == [#"1 nil ["News", "Tech"] [] as configured"#])
    #expect(!reader.model.isClosed(news) && !reader.model.isClosed(tech))
    #expect(reader.model.list == feedList(1))
  }

  @Test func `the handbook and the lists are not edited`() throws {
    for list in [ReaderList.all, .unread, .starred] {
      let reader = FeedSheetReader(selected: list)
      reader.stage.press(.tab, "e", "x")
      #expect(reader.model.feedEditor.sheet == nil)
      #expect(reader.asked.all.isEmpty)
    }
  }

  @Test func `on the smallest of screens the fields and what is wrong are in sight`() throws {
    let reader = FeedSheetReader(20, 5, selected: feedList(2))
    reader.stage.press("a")
    reader.stage.type("x.y")
    #expect(
      reader.stage.lines == [
        "╭─ Add a feed ─────╮", "│ x.y            ▐ │", "│                  │",
        "╰──────────────────╯", "Esc cancel",
      ])
    reader.stage.press(.enter)
    reader.additions[0].fail(FetchError.fileMissing(path: "/x.y"))
    reader.stage.settle()
    #expect(
      reader.stage.lines == [
        "╭─ Add a feed ─────╮", "│ x.y            ▐ │", "│ ✗ There is no    │",
        "╰──────────────────╯", "Esc cancel",
      ])
    reader.stage.press(.escape)
    reader.model.showsFeeds = true
    reader.stage.settle()
    reader.stage.press("e", .tab)
    #expect(
      reader.stage.lines == [
        "╭─ Edit feed ──────╮", "│ Title   Beta   ▐ │", "│ Tags    b, c     │",
        "╰──────────────────╯", "Esc cancel",
      ])
  }

  @Test func `Enter in the form for an account goes to what is empty, and says so there`() {
    let reader = FeedSheetReader()
    reader.model.feedEditor.open(.addAccount)
    reader.stage.settle()
    let words = "✗ The server, the name and the password are all needed."
    reader.stage.press(.enter)
    #expect(reader.stage.text.contains(words))
    reader.stage.type("reader.example.org")
    #expect(reader.model.feedEditor[.address] == "reader.example.org")
    reader.stage.press(.enter)
    reader.stage.type("me")
    #expect(reader.model.feedEditor[.user] == "me")
  }

  @Test func `an account is removed with its feeds, or without`() {
    let account = SyncAccount(
      id: .init(rawValue: 7), kind: .googleReader, address: "https://reader.example.org", user: "me"
    )
    let reader = FeedSheetReader()
    for (keys, call) in [
      ([KeyPress.enter], "remove the account 7"), ([.tab, .enter], "remove the account 7 only"),
    ] {
      reader.stage.settle()
      reader.model.feedEditor.open(
        .removeAccount(AccountSummary(account: account, feedCount: 3, waitingCount: 2)))
      reader.stage.settle()
      let text = reader.stage.text.split(whereSeparator: { " │\n".contains($0) })
      #expect(
        text.joined(separator: " ").contains(
          "2 changes wait to be sent; the server does not get them unless you undo this."))
      #expect(reader.stage.text.contains("Its 3 feeds go from here; the server keeps everything."))
      for key in keys { reader.stage.press(key) }
      reader.stage.settle()
      #expect(reader.asked.all.last == call)
      let words = reader.model.notice.latestValue??.words
      let remains = " Its password may still be in the system's keyring. Remove it there."
      #expect(words?.hasSuffix(remains) == call.hasSuffix("only"), "\(words ?? "")")
    }
  }
}
