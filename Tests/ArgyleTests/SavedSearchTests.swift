import Foundation
import Loading
import LoadingTesting
import Synchronization
import Testing

@testable import Argyle
@testable import Articles

/// Tests of saved searches.
@MainActor
@Suite struct SavedSearchTests {
  private let runtime = ManualRuntime()
  private let swift = SavedSearch(name: "Swift", text: "swift")

  private final class Marked: Sendable {
    let ids = Mutex<[Article.ID]>([])
    let isAll = Mutex(false)
  }

  private func model(_ marked: Marked = Marked()) -> ReaderModel {
    var source = DemoScript(.full).source
    source.articles = { request in
      if case .search = request.list {
        return .constant(ArticleListing(Array(Article.unread.prefix(2))))
      }
      return .constant(ArticleListing(Article.unread))
    }
    source.marks.setRead = { _, ids in marked.ids.withLock { $0 += ids } }
    source.marks.markAllRead = { _, _ in marked.isAll.withLock { $0 = true } }
    return ReaderModel(source, runtime)
  }

  @Test func `they stand between the lists and the feeds`() {
    let rows = FeedRow.rows(of: FeedSummary.samples, nil, searches: [swift])
    #expect(
      rows.map(\.title).prefix(6) == [
        "All articles", "Unread", "Today", "★ Starred", "/ Swift", "Notes on terminals",
      ])
    #expect(rows[4].id == .search(swift))
  }

  @Test func `a search shows how much of what it finds is unread`() {
    var source = DemoScript(.full).source
    source.unreadFound = { searches in
      .constant(Dictionary(uniqueKeysWithValues: searches.map { ($0, $0.text.count) }))
    }
    let model = ReaderModel(source, runtime)
    model.searches = [swift]
    runtime.run()
    let rows = FeedRow.rows(
      of: [], nil, searches: model.searches, found: model.unreadFound.latestValue ?? [:])
    #expect(rows[4].unread == 5)
  }

  @Test(.timeLimit(.minutes(10)))
  func `a search that is saved again does not inherit the order of the removed one`() async {
    let stored = Mutex(ListArrangements())
    var source = DemoScript(.full).source
    source.arrangements = ArrangementStates(
      stored: Loader { _ in stored.withLock(\.self) },
      store: { change in stored.withLock { $0.apply(change) } },
      forget: { list in
        stored.withLock { $0.apply(ArrangementChange(of: list.arrangementName, order: .newest)) }
      })
    let model = ReaderModel(source, runtime)
    let isEdited = Mutex(false)
    model.editConfiguration = { _ in
      isEdited.withLock { $0 = true }
      return .stored
    }
    model.searches = [swift]
    model.select(.search(swift))
    model.sortArticles()
    model.toggleOnlyUnread()
    #expect(model.arrangement.order == .oldest)
    model.remove(swift)
    await runtime.run { isEdited.withLock(\.self) && !model.marks.hasPendingMutations }
    model.searches = []
    model.searches = [swift]
    model.select(.search(swift))
    #expect(model.arrangement.order == .newest)
    #expect(model.arrangement.isOnlyUnread, "that applies to every list")
  }

  @Test func `to mark all of one as read marks what it found and nothing else`() {
    let marked = Marked()
    let model = model(marked)
    model.searches = [swift]
    model.select(.search(swift))
    model.articles.load()
    runtime.run()
    model.markRead(.all)
    runtime.run()
    #expect(marked.ids.withLock(\.self) == Array(Article.unread.prefix(2)).map(\.id))
    let isAll = marked.isAll.withLock { $0 }
    #expect(!isAll)
  }

  @Test func `the neighbour of one that is removed is shown, or all articles if there is none`() {
    let model = model()
    let (first, last) = (
      SavedSearch(name: "First", text: "first"), SavedSearch(name: "Last", text: "last")
    )
    model.searches = [first, swift, last]
    model.select(.search(swift))
    model.searches = [first, last]
    #expect(model.list == .search(last))
    model.searches = [first]
    #expect(model.list == .search(first))
    model.searches = []
    #expect(model.list == .all)
  }

  @Test func `a search that is typed stays open when the saved one behind it is removed`() {
    let model = model()
    model.searches = [swift]
    model.select(.search(swift))
    model.openSearch()
    model.search.text = "wool"
    model.searches = []
    #expect(model.list == .all)
    #expect(model.search.isOpen)
    #expect(model.search.text == "wool")
  }

  @Test func `one that is waited for is not shown once the user has gone elsewhere`() {
    let model = model()
    model.feeds.load()
    runtime.run()
    model.showWhenListed(.search(swift))
    model.select(.starred)
    model.searches = [swift]
    #expect(model.arrivedList == nil)
  }

  @Test func `one that gets another name stays selected`() {
    let model = model()
    model.searches = [swift]
    model.select(.search(swift))
    let renamed = SavedSearch(name: "My Swift", text: "swift")
    model.searches = [SavedSearch(name: "Other", text: "other"), renamed]
    #expect(model.list == .search(renamed))
  }

  private final class Edits: Sendable {
    private let list = Mutex<[ConfigurationEdit]>([])

    var all: [ConfigurationEdit] { list.withLock { $0 } }

    func append(_ edit: ConfigurationEdit) { list.withLock { $0.append(edit) } }
  }

  private func editing(_ edits: Edits, failing words: String? = nil) -> ReaderModel {
    let model = model()
    model.editConfiguration = { edit in
      edits.append(edit)
      return words.map(ConfigurationEdit.Outcome.failed) ?? .stored
    }
    return model
  }

  /// A reader whose marks and changes that can be undone are those of a library.
  private func model(
    of library: Library, editing file: File, _ change: (inout ArticleSource) -> Void
  ) -> ReaderModel {
    var source = DemoScript(.full).source
    source.marks =
      ArticleSource(
        library, passwords: KeptPasswords(directory: "/nonexistent"), dayStart: { .distantPast }
      ).marks
    change(&source)
    let model = ReaderModel(source, runtime)
    model.editConfiguration = file.edit
    model.searches = file.searches
    return model
  }

  /// Undoes the latest change, the `count`th that is undone, and reads the searches again.
  private func undo(_ count: Int, in model: ReaderModel, _ file: File) async -> LibraryChange? {
    model.undo()
    await runtime.run { model.marks.latestValue?.undone?.count == count }
    model.searches = file.searches
    return model.marks.latestValue?.undone?.change
  }

  private func save(_ text: String, in model: ReaderModel) -> String? {
    model.search.text = text
    let before = model.marks.latestValue?.feedChange
    model.saveSearch()
    runtime.run()
    let change = model.marks.latestValue?.feedChange
    return change == before ? model.notice.latestValue??.words : change?.stored.notice.words
  }

  @Test func `what is searched for is saved under its words, long ones cut short`() {
    let edits = Edits()
    let model = editing(edits)
    #expect(
      save(" swift  actors ", in: model) == "Saved. It is in the list of feeds: / swift actors.")
    let long = String(repeating: "word ", count: 20)
    let name = "word word word word word word word word…"
    #expect(save(long, in: model) == "Saved. It is in the list of feeds: / \(name).")
    #expect(
      edits.all == [
        .add(SavedSearch(name: "swift actors", text: "swift actors")),
        .add(SavedSearch(name: name, text: String(long.dropLast()))),
      ])
  }

  @Test func `long searches that begin alike have numbers behind their names`() {
    let edits = Edits()
    let model = editing(edits)
    let words = "unread and (title:swift or title:actors) "
    let names = [
      "unread and (title:swift or title:actors…", "unread and (title:swift or title:acto… 2",
      "unread and (title:swift or title:acto… 3",
    ]
    for (name, end) in zip(names, ["age<7d", "tag:dev", "starred"]) {
      #expect(
        save(words + end, in: model) == "Saved. It is in the list of feeds: / \(name).")
      model.searches.append(SavedSearch(name: name, text: words + end))
    }
    #expect(edits.all == model.searches.map { .add($0) })
    #expect(
      save(words + "tag:dev", in: model) == "You already have this search, as “\(names[1])”.")
  }

  @Test func `nothing, or the same once more, is not saved, and says so`() {
    let edits = Edits()
    let model = editing(edits)
    model.searches = [swift, SavedSearch(name: "other", text: "words")]
    #expect(save(" ", in: model) == "Nothing to save. Type some words first.")
    #expect(save("swift ", in: model) == "You already have this search, as “Swift”.")
    #expect(save("other", in: model) == "Another saved search is already named “other”.")
    #expect(edits.all.isEmpty)
  }

  @Test func `what is not finished, or cannot be read, is not saved`() {
    let edits = Edits()
    let model = editing(edits)
    #expect(
      save("unread and", in: model)
        == "Not saved: there is nothing after “and”. Complete the query, or remove that.")
    #expect(
      save("!!!", in: model)
        == "Not saved: there is no word and no condition in it. Write which articles are meant.")
    #expect(edits.all.isEmpty)
  }

  @Test(.timeLimit(.minutes(10)))
  func `two that are removed one right after the other are both removed`() async {
    let edits = Edits()
    let model = editing(edits)
    let other = SavedSearch(name: "Other", text: "other")
    model.searches = [swift, other]
    model.remove(swift)
    model.remove(other)
    model.say("Something else.")
    await runtime.run { edits.all == [.remove(swift), .remove(other)] }
  }

  @Test func `a removed search comes back to its place, in the order of all changes`() async throws
  {
    let library = Library(store: try .inMemory())
    let feed = try #require(try await library.store.insertFeed(address: "https://example.org/")?.id)
    let parsed = ParsedFeed(articles: [ParsedArticle(guid: "1", title: "Wool")])
    _ = try await library.store.save(PreparedFeed(parsed), of: feed, at: Date())
    let stored = try #require(try await library.storedArticles(matching: ArticleQuery()).first)

    let other = SavedSearch(name: "Other", text: "other")
    let file = File(with: [swift, other])
    let arranged = Mutex<[ArrangementChange]>([])
    let model = model(of: library, editing: file) { source in
      source.arrangements.store = { change in arranged.withLock { $0.append(change) } }
    }
    func undo(_ count: Int) async -> LibraryChange? { await self.undo(count, in: model, file) }

    model.remove(swift)
    model.toggleStar(stored)
    await runtime.run { !model.marks.hasPendingMutations }
    #expect(file.searches == [other])
    model.searches = file.searches
    #expect(await undo(1)?.kind == .starred)
    #expect(file.searches == [other])
    let undone = try #require(await undo(2))
    #expect(undone.undoneWords == "Undone: the search “Swift” is back.")
    #expect(undone.restoredList(among: model.searches) == .search(swift))
    #expect(file.searches == [swift, other])
    #expect(arranged.withLock { $0.map(\.list) } == ["search Swift"])
    #expect(await undo(3) == nil)

    model.showWhenListed(.search(swift))
    #expect(model.arrivedList == .search(swift))
  }

  @Test func `a search that was changed in the file meanwhile is neither renamed nor removed`()
    async throws
  {
    let library = Library(store: try .inMemory())
    let file = File(with: [swift])
    let model = model(of: library, editing: file) { _ in }
    model.remove(swift)
    model.remove(swift)
    await runtime.run { !model.marks.hasPendingMutations }
    #expect(
      model.marks.latestValue?.feedChange?.stored.notice
        == Notice(words: "Removed: / Swift.", hint: .undo), "the key was pressed twice")
    let words = "The search “Swift” is not in the configuration file any more."
    model.rename(swift, to: "Other")
    await runtime.run { !model.marks.hasPendingMutations }
    #expect(model.marks.latestValue?.feedChange?.stored.notice == Notice(words: words))
    #expect(await undo(1, in: model, file)?.kind == .removedSearch(name: "Swift"))
    #expect(file.searches == [swift])
    #expect(await undo(2, in: model, file) == nil)
  }

  @Test func `a search that was saved and renamed has its old name, and then is gone`() async throws
  {
    let library = Library(store: try .inMemory())
    let file = File(with: [])
    let arranged = Mutex<[String]>([])
    let model = model(of: library, editing: file) { source in
      source.arrangements.store = { change in arranged.withLock { $0.append(change.list ?? "") } }
      source.arrangements.forget = { list in
        arranged.withLock { $0.append("not \(list.arrangementName ?? "")") }
      }
    }
    func undo(_ count: Int) async -> LibraryChange? { await self.undo(count, in: model, file) }

    model.search.text = "swift"
    model.saveSearch()
    await runtime.run { !model.marks.hasPendingMutations }
    let saved = SavedSearch(name: "swift", text: "swift")
    #expect(file.searches == [saved])
    model.searches = file.searches
    model.rename(saved, to: "Swift")
    await runtime.run { !model.marks.hasPendingMutations }
    #expect(
      model.marks.latestValue?.feedChange?.stored.notice
        == Notice(words: "Renamed: / Swift.", hint: .undo))
    #expect(file.searches == [swift])
    model.searches = file.searches

    let renamed = try #require(await undo(1))
    #expect(renamed.undoneWords == "Undone: the search is named “swift” again.")
    #expect(renamed.restoredList(among: model.searches) == .search(saved))
    #expect(file.searches == [saved])
    let added = try #require(await undo(2))
    #expect(added.undoneWords == "Undone: the search “swift” is no longer saved.")
    #expect(added.restoredList(among: model.searches) == nil)
    #expect(file.searches == [])
    await runtime.run { !model.storedArrangements.hasPendingMutations }
    #expect(
      arranged.withLock { $0 } == [
        "search Swift", "not search swift", "search swift", "not search Swift",
        "not search swift",
      ])
    #expect(await undo(3) == nil)
  }

  @Test func `what keeps a removed search from coming back is told, and it can be tried again`()
    async throws
  {
    let library = Library(store: try .inMemory())
    let isBroken = Mutex(true)
    library.record(.removedSearch(name: "Swift")) {
      if isBroken.withLock(\.self) { throw DescribedError("No.", advice: "Try again.") }
    }
    await #expect(throws: DescribedError.self) { try await library.undo() }
    isBroken.withLock { $0 = false }
    #expect(try await library.undo()?.kind == .removedSearch(name: "Swift"))
    #expect(try await library.undo() == nil)
  }

  /// The configuration file, in memory.
  private final class File: Sendable {
    private let text = Mutex("")

    init(with searches: [SavedSearch]) {
      for search in searches {
        text.withLock { $0 = (try? ConfigurationEdit.add(search).applied(to: $0)) ?? $0 }
      }
    }

    var searches: [SavedSearch] {
      text.withLock { (try? Configuration(toml: $0))?.searches ?? [] }
    }

    @Sendable func edit(_ edit: ConfigurationEdit) async -> ConfigurationEdit.Outcome {
      text.withLock { text in
        guard let edited = try? edit.applied(to: text) else { return .failed("Not saved.") }
        defer { text = edited }
        return edited == text ? .unnecessary : .stored
      }
    }
  }

  @Test(.timeLimit(.minutes(10)))
  func `one is removed, and what keeps it from that is told`() async {
    let edits = Edits()
    let model = editing(edits)
    model.searches = [swift]
    model.remove(swift)
    await runtime.run { !model.marks.hasPendingMutations }
    #expect(
      model.marks.latestValue?.feedChange?.stored.notice
        == Notice(words: "Removed: / Swift.", hint: .undo))
    #expect(edits.all == [.remove(swift)])
    let failing = editing(edits, failing: "“Swift” was not removed: config.toml: …")
    failing.remove(swift)
    runtime.run()
    #expect(
      failing.marks.latestValue?.feedChange?.stored.notice
        == Notice(words: "“Swift” was not removed: config.toml: …"))
  }
}

extension Article {
  fileprivate static let unread = (1...4).map { number in
    Article(number, title: "Article \(number)", isRead: false)
  }
}

/// Tests of finding an element near an index.
@Suite struct NearbyElementTests {
  private struct Row: Identifiable {
    let id: Int
  }

  @Test func `it is found from every place`() {
    for count in 0...6 {
      let rows = (0..<count).map(Row.init)
      for id in -1...count {
        for place in -2...(count + 2) {
          #expect(rows.index(of: id, near: place) == (0..<count ~= id ? id : nil))
        }
      }
    }
  }
}
