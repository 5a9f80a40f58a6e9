import Loading
import LoadingTesting
import Synchronization
import TerminalUI
import TerminalUITesting
import Testing

@testable import Argyle
@testable import Articles

/// Tests of a list of which not all articles are loaded.
@MainActor
@Suite struct LongListTests {
  private struct Unreadable: Error {}

  private let runtime = ManualRuntime()
  private let loads = ManualLoads<[Article.ID: Article]>()
  private let asked = Asked()

  private final class Asked: Sendable {
    let lists = Mutex<[ListRequest]>([])
    let stars = Mutex<[Article.ID]>([])
  }

  private nonisolated static let count = 10_000

  private nonisolated static func article(_ number: Int) -> Article {
    Article(number + 1, of: "Alpha", title: "Article \(number)", isRead: number % 2 == 0)
  }

  /// Returns a list of ten thousand, loaded as the store loads it.
  private nonisolated static func listing(around id: Article.ID?) -> ArticleListing {
    let order = (0..<count).map {
      ArticleListing.Entry(article($0).id, isRead: article($0).isRead)
    }
    let part = ArticleListing.part(of: order, around: id, beginning: ArticleListing.longLength)
    return ArticleListing(order, part.map(article), at: part.lowerBound)
  }

  private func model() -> ReaderModel {
    var source = DemoScript(.full).source
    source.articles = { [asked] request in
      asked.lists.withLock { $0.append(request) }
      return .constant(Self.listing(around: request.place))
    }
    source.rows = { [loads] _ in loads.loader }
    source.document = { id in
      .constant(
        ArticleDocument(
          article: Self.article(Int(id.rawValue) - 1), document: Document(blocks: [])))
    }
    source.marks.setStarred = { [asked] _, id in asked.stars.withLock { $0.append(id) } }
    source.marks.setRead = { _, _ in }
    let model = ReaderModel(source, runtime)
    model.prepare()
    runtime.run()
    return model
  }

  private func loaded(_ range: Range<Int>) -> [Article.ID: Article] {
    Dictionary(uniqueKeysWithValues: range.map { (Self.article($0).id, Self.article($0)) })
  }

  private func stage(_ model: ReaderModel) -> Stage {
    Stage(80, 10, runtime: runtime) {
      Shown(model: model, days: DayText(offset: { _ in 0 }, now: { .distantPast }))
    }
  }

  /// Goes to the end of the list, whose articles are loaded then.
  private func stageAtEnd(_ model: ReaderModel) -> Stage {
    let stage = stage(model)
    stage.press("G")
    loads.latest?.succeed(loaded(9_700..<10_000))
    stage.settle()
    return stage
  }

  private struct Shown: View {
    let model: ReaderModel
    let days: DayText
    @FocusState private var focus: LibraryScreen.Pane?

    var body: some View { ArticlePane(model: model, days: days, focus: $focus) }
  }

  private func titles(_ stage: Stage) -> [String] {
    stage.lines.dropFirst().prefix(3).map { line in
      line.split(separator: " ").prefix(2).joined(separator: " ")
    }
  }

  @Test func `rows that are not loaded hold their place until they are`() {
    let model = model()
    let stage = stage(model)
    #expect(titles(stage) == ["Article 0", "Article 1", "Article 2"])
    stage.press("G")
    #expect(!stage.lines.joined().contains("Article"))
    #expect(stage.lines[2].contains("▇▇▇"))
    loads.latest?.succeed(loaded(9_700..<10_000))
    stage.settle()
    #expect(titles(stage) == ["Article 9991", "Article 9992", "Article 9993"])
    #expect(stage.lines[0].contains("10000 articles"))
  }

  @Test func `more is loaded before the selection comes to the end of what is loaded`() throws {
    let model = model()
    _ = stage(model)
    model.selectedArticle = Self.article(1_000).id
    #expect(loads.count == 0)
    model.selectedArticle = Self.article(1_900).id
    runtime.run()
    try #require(loads.count == 1)
    model.selectedArticle = Self.article(1_901).id
    runtime.run()
    #expect(loads.count == 1, "this is being loaded")
    loads[0].succeed(loaded(1_600..<2_200))
    runtime.run()
    model.selectedArticle = Self.article(2_000).id
    runtime.run()
    #expect(loads.count == 1)
    #expect(model.selected?.title == "Article 2000")
  }

  @Test func `a key waits until the article of its row is loaded`() async {
    let model = model()
    let stage = stage(model)
    stage.press("G")
    let reading = loads.count
    stage.press("s")
    #expect(model.selected == nil)
    #expect(model.isSaving)
    await runtime.run(until: { loads.count > reading })
    loads[reading].succeed(loaded(9_999..<10_000))
    await runtime.run(until: { !asked.stars.withLock(\.isEmpty) })
    #expect(asked.stars.withLock(\.self) == [Self.article(9_999).id])
    await runtime.run(until: { !model.isSaving })
  }

  /// What the user does while the article of a row is being loaded.
  enum Change: CaseIterable { case otherList, sheet, otherArticle, close, end }

  @Test(arguments: Change.allCases)
  func `an article that comes after the user has gone is not opened`(change: Change) async {
    let model = model()
    let stage = stage(model)
    if change == .close { model.open(Self.article(0)) }
    stage.press("G")
    let reading = loads.count
    stage.press(.enter)
    await runtime.run(until: { loads.count > reading })
    #expect(!model.isSaving, "nothing is lost")
    #expect(model.isGoingOn, "a macro waits")
    switch change {
    case .otherList: model.select(.starred)
    case .sheet: model.sheet = .lists
    case .otherArticle: model.open(Self.article(1))
    case .close: model.close()
    case .end: #expect(await model.finishSaving() == [])
    }
    stage.settle()
    if change != .end { #expect(!model.isGoingOn, "nothing is waited for that is dropped") }
    loads[reading].succeed(loaded(9_999..<10_000))
    await runtime.run(until: { model.begun.isEmpty })
    #expect(model.openArticle == (change == .otherArticle ? Self.article(1) : nil))
  }

  /// Opens the unread article after one that is not loaded, and returns the number of the load that
  /// this waits for.
  private func openNext(after number: Int, in model: ReaderModel) async -> Int {
    _ = stage(model)
    model.selectedArticle = Self.article(number).id
    runtime.run()
    let reading = loads.count
    model.openNextUnread()
    await runtime.run(until: { loads.count == reading + 1 })
    return reading
  }

  @Test func `keys on rows that are not loaded act one after another, whichever is loaded first`()
    async
  {
    let model = model()
    let reading = await openNext(after: 5_000, in: model)
    model.openNextUnread()
    await runtime.run(until: { loads.count == reading + 2 })
    var acted: [String] = []
    model.withSelected(isMark: false) { acted.append($0.title) }
    await runtime.run(until: { loads.count == reading + 3 })
    for load in (reading..<loads.count).reversed() { loads[load].succeed(loaded(5_001..<5_004)) }
    await runtime.run(until: { model.begun.isEmpty })
    #expect(model.current(Self.article(5_001)).isRead)
    #expect(model.openArticle?.title == "Article 5003")
    #expect(acted == ["Article 5003"])
  }

  @Test func `rows that cannot be loaded say so, and are loaded again with the list`() {
    let model = model()
    let stage = stage(model)
    stage.press("G")
    loads.latest?.fail(Unreadable())
    stage.settle()
    #expect(stage.lines[2].contains("✗ This article could not be loaded."))
    model.readAgain()
    stage.settle()
    #expect(titles(stage) == ["Article 9991", "Article 9992", "Article 9993"])
  }

  @Test func `a list is loaded again around the rows that are shown`() {
    let model = model()
    let stage = stageAtEnd(model)
    model.readAgain()
    stage.settle()
    #expect(asked.lists.withLock(\.last)?.place == Self.article(9_999).id)
    #expect(titles(stage) == ["Article 9991", "Article 9992", "Article 9993"])
    #expect(model.articles.latestValue?.articles.count == 301)
  }

  @Test func `the next unread article is found among those that are not loaded`() async {
    let model = model()
    _ = await openNext(after: 5_000, in: model)
    #expect(model.selectedArticle == Self.article(5_001).id)
    #expect(model.openArticle == nil)
    loads[loads.count - 1].succeed(loaded(5_001..<5_002))
    await runtime.run(until: { model.openArticle != nil })
    #expect(model.openArticle?.title == "Article 5001")
  }

  @Test func `all of it is marked as read, whatever is loaded of it`() {
    let model = model()
    model.markRead(.all)
    runtime.run()
    #expect(model.marks.latestValue?.swept?.count == Self.count / 2)
    #expect(
      model.articles.latestValue?.contains { model.marks.latestValue?.isRead($0) != true } == false)
  }

  @Test func `what was loaded of one list is not shown in another`() {
    let model = model()
    let stage = stageAtEnd(model)
    model.select(.unread)
    stage.settle()
    stage.press("G")
    #expect(!stage.lines.joined().contains("Article 9"))
    loads.end()
  }
}
