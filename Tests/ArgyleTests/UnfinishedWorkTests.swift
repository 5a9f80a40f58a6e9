import Articles
import Foundation
import Loading
import LoadingTesting
import Socks
import Storage
import Synchronization
import Testing

@testable import Argyle
@testable import TerminalUI

/// Tests of what is saved before the program ends, and how long it waits for that.
@MainActor
@Suite(.timeLimit(.minutes(10))) struct UnfinishedWorkTests {
  /// Changes that a test marks as saved.
  private final class Changes: UnsavedChanges {
    var isSaving = true
    let losses: [String]
    private let saved = AsyncStream.makeStream(of: Void.self)

    init(_ losses: String...) { self.losses = losses }

    func save() {
      isSaving = false
      saved.continuation.finish()
    }

    func finishSaving() async -> [String] {
      for await _ in saved.stream {}
      return isSaving ? losses : []
    }
  }

  private let runtime = ManualRuntime()

  private func work(_ changes: Changes...) -> UnfinishedWork {
    UnfinishedWork(clock: runtime.clock.any) { changes }
  }

  private func hasFinished(
    _ work: UnfinishedWork, within limit: Duration = .seconds(9), _ meanwhile: () async -> Void
  ) async {
    var isOver = false
    let end = Task {
      await work.finish(within: limit)
      isOver = true
    }
    await runtime.run { work.isFinishing && runtime.clock.sleeperCount == 1 }
    await meanwhile()
    await runtime.run { isOver }
    await end.value
  }

  @Test func `what is saved in time is not named, and is not waited for any longer`() async {
    let changes = Changes("One.")
    let work = work(changes)
    await hasFinished(work) { changes.save() }
    #expect(work.losses.isEmpty)
    #expect(work.report.isEmpty)
    #expect(!work.isFinishing)
    #expect(runtime.clock.now.offset == .zero)
  }

  @Test func `after two seconds all that is left is named, on a line each`() async {
    let (one, two, three) = (Changes("One."), Changes("Two\u{1B}[2J."), Changes("Three."))
    let work = work(one, two, three)
    await hasFinished(work) {
      one.save()
      runtime.advance(by: .milliseconds(1_999))
      #expect(work.isFinishing)
      runtime.advance(by: .milliseconds(1))
    }
    #expect(work.report == "argyle: Two[2J.\nargyle: Three.\n")
  }

  @Test func `where less time is left, what is left is named by then`() async {
    let changes = Changes("One.")
    let work = work(changes)
    await hasFinished(work, within: .milliseconds(500)) {
      runtime.advance(by: .milliseconds(500))
    }
    #expect(work.losses == ["One."])
    let late = self.work(changes)
    await late.finish(within: .seconds(-1))
    #expect(late.losses == ["One."])
  }

  @Test func `of very many changes that are lost twenty are named, and the others counted`() async {
    let changes = (0..<23).map { Changes("Number \($0).") }
    let work = UnfinishedWork(clock: runtime.clock.any) { changes }
    await hasFinished(work) { runtime.advance(by: .seconds(2)) }
    let lines = work.report.split(separator: "\n")
    #expect(lines.count == 21)
    #expect(lines.last == "argyle: 3 more changes were not saved.")
  }

  @Test func `where everything is saved nothing is waited for`() async {
    let changes = Changes("One.")
    changes.save()
    let work = work(changes)
    await work.finish()
    #expect(work.losses.isEmpty)
  }

  // MARK: The reader's marks

  private struct Refusal: Error {}
  private final class Refusals: Sendable {
    let areOn = Mutex(true)

    func check() throws { if areOn.withLock(\.self) { throw Refusal() } }
  }

  private let refusals = Refusals()

  @Test func `marks that fail at the end, or are not stored by then, are named`() async {
    let source = ArticleSource(refusing: refusals.check)
    let model = ReaderModel(source, runtime)
    let article = Article(1, title: "Apple")
    model.toggleRead(article)
    runtime.run()
    #expect(!model.isSaving)
    // A change that could not be stored at first was stored by a repetition.
    refusals.areOn.withLock { $0 = false }
    model.toggleRead(article)
    runtime.run()
    refusals.areOn.withLock { $0 = true }
    model.toggleStar(article)
    model.undo()
    #expect(model.isSaving)
    var losses: [String]?
    let end = Task { losses = await model.finishSaving() }
    await runtime.run { losses != nil }
    await end.value
    #expect(losses == ["“Apple” was not starred.", "The last change was not undone."])
  }

  @Test(arguments: [true, false])
  func `a file that is being written is waited for, and named if that takes too long`(
    isWritten: Bool
  ) async {
    let model = ReaderModel(DemoScript(.full).source, runtime)
    let (writing, end) = AsyncStream<Void>.makeStream()
    model.write("“Apple” was not saved.") {
      for await _ in writing {}
      return Notice(words: "Saved.")
    }
    #expect(model.isSaving && model.isGoingOn)
    var losses: [String]?
    let saving = Task { losses = await model.finishSaving() }
    if isWritten { end.finish() } else { saving.cancel() }
    await runtime.run { losses != nil }
    #expect(losses == (isWritten ? [] : ["“Apple” was not saved."]))
    end.finish()
    await runtime.run { !model.isSaving }
  }

  // MARK: The drawer's changes

  @Test func `a change of the drawer that is lost is named, with the reason where there is one`()
    async
  {
    let socks = ["Grey", "Red"].map { name in
      Sock(
        id: UUID(), name: name, sogginess: 40, created: Date(timeIntervalSince1970: 0),
        changed: Date(timeIntervalSince1970: 0))
    }
    let api = ScriptedSockAPI(socks, clock: runtime.clock.any)
    let model = DrawerModel(
      api, pictures: .demo, clock: runtime.clock.any, scheduler: runtime.scheduler)
    model.drawer.list.load()
    runtime.run()
    model.drawer.list.show(0..<2)
    runtime.run()
    api.script(.update, .fails(SockError.store(.locked(path: "/socks.db"))))
    model.drawer.setSogginess(of: socks[0].id, to: 0)
    runtime.run()
    api.script(.update, .works(after: .seconds(60)))
    model.drawer.setSogginess(of: socks[1].id, to: 0)
    runtime.run()
    #expect(model.isSaving)
    var losses: [String]?
    let end = Task { losses = await model.finishSaving() }
    end.cancel()
    await runtime.run { losses != nil }
    await end.value
    #expect(
      losses == [
        "The sogginess of “Grey” was not saved. "
          + "Another program kept the socks locked for too long.",
        "The sogginess of “Red” was not saved.",
      ])
    runtime.advance(by: .seconds(60))
  }

  // MARK: Each kind of change

  /// A mark, a mark of the user's own, a closed folder, an arrangement and a saved search; with what
  /// is said when one is lost.
  nonisolated private static let kinds = [
    ["“Apple” was not marked as read."], [], ["Which folders are closed was not saved."],
    ["How lists are shown was not saved."], ["The search “swift” was not saved."],
  ]

  @Test(arguments: kinds.indices, [true, false])
  func `what is being stored at the end is waited for, and named if that takes too long`(
    last: Int, isStored: Bool
  ) async throws {
    let stores = ManualCalls<Int, Void>()
    var source = DemoScript(.full).source
    source.marks.setRead = { _, _ in try await stores.call(0) }
    source.marks.confirmRead = { _ in try await stores.call(1) }
    source.folders.setClosed = { _, _ in try await stores.call(2) }
    source.arrangements.store = { _ in try await stores.call(3) }
    let model = ReaderModel(source, runtime)
    model.editConfiguration = { _ in
      try? await stores.call(4)
      return .stored
    }
    model.closedFolders.load()
    runtime.run()
    let article = Article(1, title: "Apple")
    let folder = try #require(FeedFolder(typed: "News"))
    switch last {
    case 0: model.toggleRead(article)
    case 1: model.confirmRead(article)
    case 2: model.setClosed(true, folder)
    case 3: model.toggleOnlyUnread()
    default:
      model.search.text = "swift"
      model.saveSearch()
    }
    runtime.run()
    #expect(stores.inputs == [last])
    #expect(model.isSaving)
    var hasBegun = false
    var losses: [String]?
    let end = Task {
      hasBegun = true
      losses = await model.finishSaving()
    }
    await runtime.run { hasBegun }
    #expect(losses == nil)
    if isStored { stores[0].succeed(()) } else { end.cancel() }
    await runtime.run { losses != nil }
    await end.value
    #expect(losses == (isStored ? [] : Self.kinds[last]))
    stores.end()
    runtime.run()
  }

  @Test func `the end of the program cancels the addition of a feed`() async {
    let reader = FeedSheetReader()
    reader.stage.press("a")
    reader.submit("x.y")
    #expect(await reader.model.finishSaving().isEmpty)
    #expect(reader.additions[0].isCancelled)
  }
}

extension ArticleSource {
  /// Makes a library that can refuse to store changes.
  fileprivate init(refusing refuse: @escaping @Sendable () throws -> Void) {
    self = DemoScript(.full).source
    marks.setRead = { _, _ in try refuse() }
    marks.setStarred = { _, _ in try refuse() }
    marks.undo = {
      try refuse()
      return nil
    }
  }
}
