import Articles
import Foundation
import Loading
import LoadingTesting
import Storage
import Synchronization
import TerminalUI
import TerminalUITesting
import Testing

@testable import Argyle

/// Tests of stopping, removing and restoring downloads that are being fetched.
@MainActor
@Suite struct DownloadQueueTests {
  private typealias ID = Download.ID

  /// A stored queue whose fetches never end by themselves.
  private final class Stored: Sendable {
    struct Content {
      var downloads: [Download] = []
      var removed: [Download] = []
      var begun: [ID: Int] = [:]
      /// The downloads whose files were deleted.
      var purged: [ID] = []
      var log: [String] = []
      /// The downloads of which no change can be stored.
      var broken: Set<ID> = []
      var error: any Error = StoreError.locked(path: "articles.sqlite")
    }

    let content = Mutex(Content())
    /// Each pause of a download waits for an element of this stream.
    let pauses = AsyncStream<Void>.makeStream()
    private let waits: Bool

    init(_ ids: ID..., waits: Bool = false) {
      self.waits = waits
      content.withLock { $0.downloads = ids.map { Self.download($0, .waiting) } }
    }

    private static func download(_ id: ID, _ state: Download.State) -> Download {
      Download(
        id: id, articleID: nil, feedTitle: "Cast", title: "\(id.rawValue)",
        enclosure: Attachment(address: "https://example.org/\(id.rawValue)"), state: state)
    }

    func begun(_ id: ID) -> Int { content.withLock { $0.begun[id, default: 0] } }

    private func change(_ id: ID, _ change: (inout Content) -> Void) throws {
      try content.withLock {
        if $0.broken.contains(id) { throw $0.error }
        change(&$0)
      }
    }

    var source: DownloadSource {
      var source = DownloadSource()
      source.stored = Loader { _ in self.content.withLock(\.downloads) }.removeDuplicates()
      source.fetch = { id in
        Loader { _ in
          self.content.withLock { $0.begun[id, default: 0] += 1 }
          let never = AsyncStream<Never>.makeStream()
          for await _ in never.stream {}
          throw CancellationError()
        }
      }
      source.setPaused = { isPaused, id in
        if self.waits { _ = await self.pauses.stream.first { _ in true } }
        try self.change(id) { content in
          content.log.append("paused \(id.rawValue)")
          for index in content.downloads.indices where content.downloads[index].id == id {
            content.downloads[index] = Self.download(id, isPaused ? .paused : .waiting)
          }
        }
      }
      source.remove = { id in
        try self.change(id) { content in
          content.log.append("removed \(id.rawValue)")
          content.removed += content.downloads.filter { $0.id == id }
          content.downloads.removeAll { $0.id == id }
        }
      }
      source.setPlayed = { _, id in try self.change(id) { $0.log.append("marked \(id.rawValue)") } }
      source.purge = { ids in self.content.withLock { $0.purged += ids ?? [] } }
      source.restore = { id in
        try self.change(id) { content in
          content.log.append("restored \(id.rawValue)")
          content.downloads += content.removed.filter { $0.id == id }
          content.removed.removeAll { $0.id == id }
        }
      }
      return source
    }
  }

  private let runtime = ManualRuntime()

  private func settle(until condition: () -> Bool) async {
    while !condition() {
      runtime.advance(by: .milliseconds(100))
      await Task.yield()
    }
  }

  /// Returns a reader whose downloads are all being fetched.
  private func model(
    _ stored: Stored, _ change: (inout DownloadSource) -> Void = { _ in }
  ) async -> ReaderModel {
    var source = DemoScript(.full).source
    source.downloads = stored.source
    change(&source.downloads)
    let model = ReaderModel(source, runtime)
    model.downloads.stored.load()
    await settle { !model.downloads.all.isEmpty }
    model.downloads.start()
    await settle { model.downloads.all.allSatisfy { stored.begun($0.id) == 1 } }
    return model
  }

  private let one = ID(rawValue: 1)
  private let two = ID(rawValue: 2)

  @Test(.timeLimit(.minutes(10)))
  func `one that is removed and brought back at once is fetched again`() async throws {
    let stored = Stored(one)
    let model = await model(stored)
    model.removeDownload(try #require(model.downloads.all.first))
    model.undoDownload()
    await settle { stored.begun(one) == 2 }
  }

  @Test(.timeLimit(.minutes(10)))
  func `a change waits for the one before it of the same download`() async throws {
    let stored = Stored(one, waits: true)
    let model = await model(stored)
    let download = try #require(model.downloads.all.first)
    model.toggleDownload(download)
    model.removeDownload(download)
    model.undoDownload()
    stored.pauses.continuation.yield()
    await settle { model.begun.isEmpty }
    #expect(stored.content.withLock(\.log) == ["paused 1", "removed 1", "restored 1"])
  }

  @Test(.timeLimit(.minutes(10)))
  func `a removal in the box says there how it is undone`() async throws {
    let model = await model(Stored(one))
    model.sheet = .downloads
    model.removeDownload(try #require(model.downloads.all.first))
    await settle { model.notice(inDownloads: true) != nil }
    let notice = try #require(model.notice(inDownloads: true))
    #expect((notice.words, notice.hint) == ("Removed “1”.", .undo))
    #expect(model.notice(inDownloads: false) == nil)
  }

  @Test(.timeLimit(.minutes(10)))
  func `the files of removed ones are deleted when the program ends, unless they are back`()
    async throws
  {
    let stored = Stored(one, two)
    let model = await model(stored)
    model.removeDownload(model.downloads.all[0])
    await settle { model.downloads.all.map(\.id) == [two] }
    model.removeDownload(model.downloads.all[0])
    await settle { model.downloads.all.isEmpty }
    model.undoDownload()
    await settle { model.downloads.all.map(\.id) == [two] }
    #expect(stored.content.withLock(\.purged).isEmpty)
    #expect(model.isSaving)
    let end = Task { await model.finishSaving() }
    await settle { !model.isSaving }
    #expect(await end.value.isEmpty)
    #expect(stored.content.withLock(\.purged) == [one])
  }

  @Test(.timeLimit(.minutes(10)))
  func `a mark takes the place of an older message, and undoing it says what it did`() async throws
  {
    let model = await model(Stored(one))
    model.sheet = .downloads
    model.removeDownload(try #require(model.downloads.all.first))
    await settle { model.downloads.all.isEmpty }
    model.undoDownload()
    await settle { model.notice(inDownloads: true)?.words == "“1” is back." }
    model.togglePlayed(
      Download(
        id: one, articleID: nil, feedTitle: "Cast", title: "1",
        enclosure: Attachment(address: "https://example.org/1"), state: .done(path: "/x")))
    runtime.run()
    #expect(model.notice(inDownloads: true) == nil)
    model.undoDownload()
    await settle {
      model.notice(inDownloads: true)?.words == "Undone: “1” is marked as not played."
    }
  }

  @Test(.timeLimit(.minutes(10)))
  func `a removal is not undone any more once the file is queued again`() async throws {
    let isQueued = Mutex(false)
    let model = await model(Stored(one)) { source in
      source.queue = { _, _ in
        if !isQueued.withLock(\.self) { throw DownloadError.nothingEnclosed }
      }
    }
    let article = Article(7, title: "Seven")
    var download = try #require(model.downloads.all.first)
    download = Download(
      id: one, articleID: article.id, feedTitle: "Cast", title: "1",
      enclosure: download.enclosure, state: .waiting)
    model.removeDownload(download)
    await settle { model.downloads.all.isEmpty }
    #expect(model.downloads.undoable.count == 1)
    model.download(article)
    await settle { model.begun.isEmpty }
    #expect(model.downloads.undoable.count == 1, "it was not queued")
    isQueued.withLock { $0 = true }
    model.download(article)
    await settle { model.begun.isEmpty }
    #expect(model.downloads.undoable.isEmpty)
  }

  @Test(.timeLimit(.minutes(10)))
  func `a key that is pressed twice at once acts once on a download`() async throws {
    let stored = Stored(one, two)
    let model = await model(stored)
    let download = Download(
      id: one, articleID: nil, feedTitle: "Cast", title: "1",
      enclosure: Attachment(address: "https://example.org/1"), state: .done(path: "/x"))
    model.togglePlayed(download)
    model.togglePlayed(download)
    await settle { model.begun.isEmpty }
    #expect(stored.content.withLock(\.log) == ["marked 1"])
    #expect(model.downloads.undoable.count == 1)
    let last = try #require(model.downloads.all.last)
    model.removeDownload(last)
    model.removeDownload(last)
    await settle { model.begun.isEmpty && model.notice.latestValue != nil }
    #expect(stored.content.withLock(\.log) == ["marked 1", "removed 2"])
    #expect(model.downloads.undoable.count == 2)
    #expect(model.notice.latestValue??.words == "Removed “2”.")
  }

  @Test(.timeLimit(.minutes(10)))
  func `a mark right after a move is no repetition of an earlier mark`() async throws {
    let stored = Stored(one)
    let model = await model(stored)
    let download = Download(
      id: one, articleID: nil, feedTitle: "Cast", title: "1",
      enclosure: Attachment(address: "https://example.org/1"), state: .done(path: "/x"))
    model.togglePlayed(download)
    await settle { model.downloads.unread.isEmpty }
    model.moveDownload(download, by: 1)
    model.togglePlayed(download)
    await settle { model.begun.isEmpty }
    #expect(stored.content.withLock(\.log) == ["marked 1", "marked 1"])
    #expect(model.downloads.undoable.count == 2)
  }

  @Test(.timeLimit(.minutes(10)))
  func `a mark of a download that is shown as marked already is no repetition`() async throws {
    let stored = Stored(one)
    let model = await model(stored)
    let enclosure = Attachment(address: "https://example.org/1")
    func download(playedAt date: Date?) -> Download {
      Download(
        id: one, articleID: nil, feedTitle: "Cast", title: "1", enclosure: enclosure,
        state: .done(path: "/x"), played: date)
    }
    model.togglePlayed(download(playedAt: nil))
    model.togglePlayed(download(playedAt: .distantPast))
    await settle { model.begun.isEmpty }
    #expect(stored.content.withLock(\.log) == ["marked 1", "marked 1"])
  }

  @Test(arguments: [false, true])
  func `only an article whose text is loaded is said to enclose nothing`(isLoaded: Bool) {
    let article = Article(7, title: "Seven")
    var source = DemoScript(.full).source
    source.document = { _ in .constant(ArticleDocument(article: article, document: Document())) }
    let model = ReaderModel(source, runtime)
    if isLoaded { model.documents[article.id].load() }
    runtime.run()
    model.play(article, nil)
    runtime.run()
    #expect(
      (model.notice.latestValue ?? nil)?.words
        == (isLoaded ? "Nothing is enclosed with this article." : "Not downloaded yet."))
  }

  @Test(.timeLimit(.minutes(10)), arguments: [0, 1, 2])
  func `what is to be downloaded waits for the text, which says which files are enclosed`(
    files: Int
  ) async {
    let article = Article(7, title: "Seven")
    let loads = ManualLoads<ArticleDocument>()
    let queued = Mutex(0)
    var source = DemoScript(.full).source
    source.document = { _ in loads.loader }
    source.downloads.queue = { _, _ in queued.withLock { $0 += 1 } }
    let model = ReaderModel(source, runtime)
    let stage = Stage(60, 12, environment: EnvironmentValues(DisplaySettings()), runtime: runtime) {
      ArticleScreen(model: model, article: article, days: .demo)
    }
    stage.settle()
    stage.press("D")
    #expect(model.isSaving && model.isGoingOn)
    #expect(queued.withLock(\.self) == 0)
    var losses: [String]?
    if files < 2 { Task { losses = await model.finishSaving() } }
    let enclosures = (0..<files).map { Attachment(address: "https://example.org/\($0)") }
    let extras = ArticleExtras(enclosures: enclosures)
    loads[0].succeed(ArticleDocument(article: article, document: Document(), extras: extras))
    await settle { losses != nil || model.begun.isEmpty }
    if files < 2 {
      await settle { losses != nil }
      #expect(losses == [])
    }
    #expect(queued.withLock(\.self) == (files < 2 ? 1 : 0))
    #expect(model.sheet == (files < 2 ? nil : .enclosures))
    loads.end()
  }

  @Test func `the program ends once it is stored which downloads are complete`() async {
    let finished = Mutex(false)
    var source = DemoScript(.full).source
    source.downloads.finish = { finished.withLock { $0 = true } }
    #expect(await ReaderModel(source, runtime).finishSaving().isEmpty)
    #expect(finished.withLock { $0 })
  }

  @Test(.timeLimit(.minutes(10)))
  func `a download whose text does not come before the program ends is named`() async {
    let loads = ManualLoads<ArticleDocument>()
    var source = DemoScript(.full).source
    source.document = { _ in loads.loader }
    let model = ReaderModel(source, runtime)
    model.downloadEnclosure(of: Article(7, title: "Seven"))
    var losses: [String]?
    let end = Task { losses = await model.finishSaving() }
    await settle { loads.count == 1 }
    end.cancel()
    await settle { losses != nil }
    #expect(losses == ["“Seven” was not queued."])
    loads.end()
  }

  @Test(.timeLimit(.minutes(10)))
  func `one whose pause cannot be stored is fetched again`() async throws {
    let stored = Stored(one)
    let model = await model(stored)
    stored.content.withLock { $0.broken = [one] }
    model.toggleDownload(try #require(model.downloads.all.first))
    await settle { stored.begun(one) == 2 }
  }

  @Test(.timeLimit(.minutes(10)))
  func `a change that cannot be stored begins nothing that was stopped by another`() async throws {
    let stored = Stored(one, two, waits: true)
    let model = await model(stored)
    stored.content.withLock { $0.broken = [two] }
    model.toggleDownload(model.downloads.all[0])
    model.removeDownload(model.downloads.all[1])
    await settle { stored.begun(two) == 2 }
    model.downloads.start()
    #expect(model.downloads.fetches.resource(ifPresent: one)?.isLoading == false)
    stored.pauses.continuation.yield()
    await settle { model.downloads.all.first?.state == .paused }
    #expect(stored.begun(one) == 1)
  }

  @Test(.timeLimit(.minutes(10)))
  func `a removal that cannot be stored is not undone, but the change before it`() async throws {
    let stored = Stored(one, two)
    let model = await model(stored)
    model.removeDownload(model.downloads.all[0])
    await settle { model.downloads.all.map(\.id) == [two] }
    stored.content.withLock { $0.broken = [two] }
    model.removeDownload(model.downloads.all[0])
    model.togglePlayed(
      Download(
        id: two, articleID: nil, feedTitle: "Cast", title: "2",
        enclosure: Attachment(address: "https://example.org/2"), state: .done(path: "/x")))
    await settle { model.begun.isEmpty }
    try #require(model.downloads.undoable.map(\.download.id) == [one])
    model.undoDownload()
    await settle { model.downloads.all.map(\.id) == [two, one] }
    #expect(!model.isSaving, "no file is deleted at the end")
  }

  @Test(.timeLimit(.minutes(10)))
  func `what could not be undone can be undone again`() async {
    let stored = Stored(one, two)
    let model = await model(stored)
    model.removeDownload(model.downloads.all[0])
    await settle { model.downloads.all.map(\.id) == [two] }
    stored.content.withLock { $0.broken = [one] }
    model.undoDownload()
    await settle { model.begun.isEmpty }
    #expect(model.downloads.undoable.map(\.download.id) == [one])
    stored.content.withLock { $0.broken = [] }
    model.undoDownload()
    await settle { model.begun.isEmpty }
    #expect(stored.content.withLock(\.downloads).map(\.id) == [two, one])
    await settle { model.downloads.all.count == 2 }
  }

  @Test(.timeLimit(.minutes(10)))
  func `an undo that can never be stored leaves the one before it`() async {
    let stored = Stored(one, two)
    let model = await model(stored)
    for download in model.downloads.all { model.removeDownload(download) }
    await settle { model.downloads.all.isEmpty }
    stored.content.withLock { ($0.broken, $0.error) = ([two], DownloadError.noSuchDownload) }
    model.undoDownload()
    await settle { model.begun.isEmpty }
    model.undoDownload()
    await settle { model.downloads.all.map(\.id) == [one] }
    #expect(model.downloads.undoable.isEmpty)
  }

  @Test(.timeLimit(.minutes(10)))
  func `a change of the queue that is not stored by the end is named`() async throws {
    let stored = Stored(one, waits: true)
    let model = await model(stored)
    model.toggleDownload(try #require(model.downloads.all.first))
    #expect(model.isSaving)
    var losses: [String]?
    let end = Task { losses = await model.finishSaving() }
    end.cancel()
    await settle { losses != nil }
    #expect(losses == ["“1” was not stopped."])
    stored.pauses.continuation.yield()
    await settle { model.downloads.all.first?.state == .paused }
  }

  @Test(.timeLimit(.minutes(10)))
  func `an edit of the configuration file changes how many are fetched at a time`() async throws {
    let three = ID(rawValue: 3)
    let stored = Stored(one, two, three)
    var source = DemoScript(.full).source
    source.downloads = stored.source
    let settings = LiveSettings(Settings(environment: [:]))
    let program = ProgramModel(
      settings: settings, source: source,
      socks: Resource(name: "drawer", clock: runtime.clock.any, scheduler: runtime.scheduler),
      pictures: .demo, clock: runtime.clock.any, scheduler: runtime.scheduler)
    let downloads = program.reader.downloads
    downloads.stored.load()
    await settle { !downloads.all.isEmpty }
    downloads.start()
    await settle { stored.begun(two) == 1 }
    #expect(stored.begun(three) == 0)
    settings.take(.success(try Configuration(toml: "podcasts.parallel = 3")))
    await settle { stored.begun(three) == 1 }
  }
}
