import Articles
import LoadingTesting
import TerminalUI
import TerminalUITesting
import Testing

@testable import Argyle

/// Tests of the sheets in which folders and saved searches are renamed.
@MainActor
@Suite struct RenameSheetTests {
  @Test func `a folder is renamed, a feed removed`() throws {
    let folder = try #require(FeedFolder(["News", "Tech"]))
    let reader = FeedSheetReader(selected: .feeds(.folder(folder)))
    reader.stage.press(.tab, "e", .control("w"))
    reader.submit("Science")
    reader.model.select(.feeds(.feed(Feed.ID(rawValue: 1))))
    reader.stage.settle()
    reader.stage.press("x")
    #expect(reader.asked.all == [#"["News", "Tech"] → ["News", "Science"]"#, "remove 1"])
    #expect(reader.model.notice.latestValue == Notice(words: "Removed “Alpha”.", hint: .undo))
  }

  @Test func `a folder or a feed that is gone is said to be, with nothing to undo`() throws {
    let folder = try #require(FeedFolder(["News"]))
    let reader = FeedSheetReader(selected: .feeds(.folder(folder)), areGone: true)
    let gone = Notice(words: "The folder “News” is not there any more.")
    reader.stage.press(.tab, "e", .control("w"))
    reader.submit("Science")
    #expect(reader.model.notice.latestValue == gone)
    #expect(reader.model.list == .feeds(.folder(folder)))
    #expect(reader.model.arrivedList == nil)
    reader.stage.press("x")
    #expect(reader.asked.all == [#"["News"] → ["Science"]"#, #"remove ["News"]"#])
    #expect(reader.model.notice.latestValue == gone)
    reader.model.select(.feeds(.feed(Feed.ID(rawValue: 1))))
    reader.stage.settle()
    reader.stage.press("x")
    #expect(reader.model.notice.latestValue == Notice(words: "“Alpha” is not there any more."))
  }

  @Test(.timeLimit(.minutes(10)))
  func `an address that was stored before the form is cancelled is told`() async {
    let (runtime, feed) = (ManualRuntime(), FeedSheetReader.feeds[0].feed)
    var source = DemoScript(.full).source
    source.feedEdits.setAddress = { address, id in
      // Ends when it is cancelled.
      for await _ in AsyncStream<Void>.makeStream().stream {}
      return Feed(id: id, address: address, title: "Alpha")
    }
    let model = ReaderModel(source, runtime)
    model.feedEditor.open(.edit(feed))
    model.feedEditor[.address] = "http://b/1"
    model.submitFeed()
    await runtime.run { model.feedEditor.addition.isLoading }
    model.feedEditor.close()
    await runtime.run { model.notice.latestValue??.words != nil }
    #expect(
      model.notice.latestValue
        == Notice(words: "“Alpha” is fetched from http://b/1 from now on.", hint: .undo))
  }

  @Test(arguments: ["", "/", " "])
  func `a folder or a search without a name stays in its form, which asks for one`(
    name: String
  ) throws {
    let search = SavedSearch(name: "Swift", text: "swift")
    let folder = try #require(FeedFolder(["News"]))
    for list in [.feeds(.folder(folder)), .search(search)] as [ReaderList] {
      let reader = FeedSheetReader(60, 16)
      reader.model.searches = [search]
      reader.model.showsFeeds = true
      reader.model.select(list)
      reader.stage.settle()
      reader.model.editFeed()
      reader.stage.settle()
      // A slash alone is the name of a search, but of no folder.
      guard name != "/" || list != .search(search) else { continue }
      reader.stage.press(.control("u"))
      reader.submit(name)
      #expect(reader.model.feedEditor.sheet != nil)
      #expect(reader.stage.text.contains("✗ Type a name."))
      reader.stage.type("x")
      #expect(!reader.stage.text.contains("Type a name."))
      #expect(reader.asked.all.isEmpty)
    }
  }
}
