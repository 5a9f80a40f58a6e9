import Foundation
import Loading
import LoadingTesting
import PseudoTerminal
import Storage
import Testing

@testable import Socks

/// A drawer whose changes are kept in a journal first.
@MainActor
@Suite(.timeLimit(.minutes(10))) struct JournaledDrawerTests {
  let runtime = ManualRuntime()
  let journal = MemoryJournal()
  let api: ScriptedSockAPI

  init() {
    api = ScriptedSockAPI([sock(1), sock(2)], clock: runtime.clock.any, now: { noon })
  }

  func drawer() -> SockDrawer {
    SockDrawer(
      api, journal: journal, now: { noon }, clock: runtime.clock.any,
      scheduler: runtime.scheduler)
  }

  /// A drawer whose first rows are on the screen.
  func shownDrawer() -> SockDrawer {
    let drawer = drawer()
    drawer.list.load()
    runtime.run()
    drawer.list.show(0..<10)
    runtime.run()
    return drawer
  }

  /// Leaves changes behind that were kept and not made, as a killed program does.
  func leave(_ count: Int, _ change: (SockDrawer) -> Void) async {
    let drawer = shownDrawer()
    api.delay = .seconds(1_000)
    change(drawer)
    await runtime.run(until: { journal.rows.count == count && api.callCount(.update) == 1 })
    api.delay = .zero
  }

  @Test func `a change is kept before it is made, and quitting while it is made loses nothing`()
    async
  {
    let drawer = shownDrawer()
    api.script(.update, .works(after: .seconds(1)))
    drawer.changeSogginess(of: id(1), by: 5)
    await runtime.run(until: {
      drawer.overlays[id(1)]?.pendingMutations.map(\.phase) == [.kept]
        && api.callCount(.update) == 1
    })
    #expect(api.socks[0].sogginess == 10)
    #expect(drawer.isSaving)
    let end = Task { await drawer.finish() }
    end.cancel()
    #expect(await end.value.isEmpty)
    runtime.advance(by: .seconds(1))
    await runtime.run(until: { journal.rows.isEmpty && !drawer.isSaving })
    #expect(api.socks[0].sogginess == 15)
  }

  @Test
  func `a step is on top of what is there once, also when the list is loaded while it is kept`()
    async
  {
    let slow = SlowJournal(journal)
    let drawer = SockDrawer(
      api, journal: slow, now: { noon }, clock: runtime.clock.any, scheduler: runtime.scheduler)
    drawer.list.load()
    runtime.run()
    drawer.list.show(0..<10)
    runtime.run()
    let access = drawer.changing(id(1)).access(commit: drawer.sogginessCommit)
    access?.sogginess.modify { $0 += 5 }
    // It is made, and only that it leaves the journal takes long.
    let overlay = drawer.sock(id(1))
    await runtime.run(until: {
      slow.removals.count == 1 && overlay.pendingMutations.map(\.phase) == [.kept]
    })
    #expect(api.socks[0].sogginess == 15)
    drawer.refresh()
    await runtime.run(until: {
      !drawer.isRelisting && (overlay.activity == nil || overlay.activity?.phase == .waiting)
    })
    #expect(drawer.row(at: 0).value?.sock.sogginess == 15)
    slow.removals[0].succeed()
    await runtime.run(until: { !drawer.isSaving && !drawer.sock(id(1)).isLoading })
    #expect(drawer.row(at: 0).value?.sock.sogginess == 15)
    #expect(journal.rows.isEmpty)
  }

  @Test func `one program at a time has the journal's file`() throws {
    let directory = try TemporaryDirectory()
    var file: DrawerJournal? = try DrawerJournal(directory: directory.path)
    #expect(throws: SockError.self) { try DrawerJournal(directory: directory.path) }
    withExtendedLifetime(file) {}
    file = nil
    _ = try DrawerJournal(directory: directory.path)
  }

  @Test func `what an earlier program has kept is shown at once, and made`() async throws {
    await leave(3) {
      $0.edit(id(1), [.name("Renamed"), .sogginess(70)])
      $0.pair(id(1), with: id(2))
      $0.add(SockDraft(id: id(3), [.name("Sock 3")]))
    }
    let drawer = shownDrawer()
    api.script(.update, .works(after: .seconds(1)))
    let resumption = Task { try await drawer.resumeChanges() }
    await runtime.run(until: { drawer.arrivals.count == 1 && drawer.overlays[id(1)] != nil })
    try await resumption.value
    #expect(drawer.row(at: 0).value?.sock.name == "Renamed")
    #expect(drawer.row(at: 0).value?.sock.pair == id(2))
    #expect(api.socks.first?.name == "Sock 1")
    runtime.advance(by: .seconds(1))
    await runtime.run(until: { journal.rows.isEmpty && !drawer.isSaving })
    #expect(api.socks.map(\.name) == ["Renamed", "Sock 2", "Sock 3"])
    #expect(api.socks.map(\.pair) == [id(2), id(1), nil])
  }

  @Test func `what could not be made is told again after a restart, and can be dismissed`()
    async throws
  {
    api.script(.update, .fails(SockError.store(.full(path: "socks.sqlite"))))
    var before: SockDrawer? = shownDrawer()
    before?.changeSogginess(of: id(1), by: 5)
    await runtime.run(until: { journal.rows.first?.failure != nil })
    before = nil
    let drawer = shownDrawer()
    let resumption = Task { try await drawer.resumeChanges() }
    await runtime.run(until: {
      if case .failed = drawer.state(of: id(1)) { true } else { false }
    })
    try await resumption.value
    drawer.dismissFailedChanges(of: id(1))
    await runtime.run(until: { journal.rows.isEmpty })
    #expect(api.socks[0].sogginess == 10)
  }

  @Test func `a change of a sock that is gone is forgotten`() async throws {
    await leave(1) { $0.edit(id(1), [.notes("Wool")]) }
    api.changeElsewhere { $0.removeAll() }
    let drawer = drawer()
    let resumption = Task { try await drawer.resumeChanges() }
    await runtime.run(until: { journal.rows.isEmpty && !drawer.isSaving })
    try await resumption.value
  }

  @Test func `changes that cannot be read are reported, and not taken for none`() async {
    await leave(1) { $0.edit(id(1), [.name("Left")]) }
    journal.failNext(with: SockError.store(.damaged(path: "socks-outbox.sqlite")))
    let drawer = drawer()
    let error = await #expect(throws: UnreadSockChanges.self) { try await drawer.resumeChanges() }
    #expect(error?.what == "Changes of socks from the last run could not be read.")
    #expect(error?.advice.hasPrefix("The file of unsaved changes is damaged. Restore it") == true)
    #expect(error?.detail == "socks-outbox.sqlite")
    #expect(journal.rows.count == 1)
  }

  @Test func `a change that another program's lock stops is made again`() async {
    api.script(.update, .fails(SockError.store(.locked(path: "socks.sqlite"))))
    let drawer = shownDrawer()
    drawer.changeSogginess(of: id(1), by: 5)
    await runtime.run(until: { api.callCount(.update) == 1 })
    await runtime.run(until: { runtime.clock.nextDeadline != nil })
    runtime.advance(by: .seconds(60))
    await runtime.run(until: { journal.rows.isEmpty && !drawer.isSaving })
    #expect(api.socks[0].sogginess == 15)
  }

  @Test func `a left change does not replace a newer one of another program unless it is retried`()
    async throws
  {
    await leave(1) { $0.edit(id(1), [.name("Left")]) }
    let store = try EmbeddedSockStore(inMemoryWith: [sock(1)], now: { noon })
    try await store.update(id(1), [.name("Newer"), .notes("Wool")])
    func drawer() -> SockDrawer {
      SockDrawer(
        store, journal: journal, clock: runtime.clock.any, scheduler: runtime.scheduler)
    }
    func resume(_ drawer: SockDrawer) async throws -> FailedMutation {
      let resumption = Task { try await drawer.resumeChanges() }
      await runtime.run { drawer.overlays[id(1)]?.failedMutations.isEmpty == false }
      try await resumption.value
      return try #require(drawer.overlays[id(1)]?.failedMutations.first)
    }
    let failure = try #require(try await resume(drawer()).error as? SockChangeFailure)
    #expect(failure.reason as? SockError == .changedElsewhere(.name))
    #expect(try await store.sock(id(1)).name == "Newer")

    let later = drawer()
    #expect(try await resume(later).retry != nil)
    later.retryFailedChanges(of: id(1))
    await runtime.run { journal.rows.isEmpty && !later.isSaving }
    #expect(try await store.sock(id(1)).name == "Left")
    #expect(try await store.sock(id(1)).notes == "Wool")
  }

  @Test func `a change knows the values that its field may have when it is made`() async throws {
    let drawer = shownDrawer()
    api.delay = .seconds(1_000)
    let outbox = try #require(drawer.outbox)
    for sogginess in [20, 30] {
      drawer.setSogginess(of: id(1), to: sogginess)
      runtime.advance(by: SockDrawer.sogginessThrottle)
      await runtime.run { outbox.changes.count == sogginess / 10 - 1 }
    }
    let changes = outbox.changes.map(\.0)
    #expect(
      changes.map { Set($0.values) } == [
        [.sogginess(20), .sogginess(10)],
        [.sogginess(30), .sogginess(20), .sogginess(10)],
      ])
  }

  @Test func `the stored drawer makes a change of a key once`() async throws {
    let store = try EmbeddedSockStore(inMemoryWith: [sock(1)], now: { noon })
    let change = SockChange.update(id(1), [.sogginess(40)])
    try await store.apply(change, key: "a")
    try await store.update(id(1), [.sogginess(90)])
    try await store.apply(change, key: "a")
    #expect(try await store.sock(id(1)).sogginess == 90)
    // One that failed was not made, and is when it is sent again.
    await #expect(throws: SockError.noSuchSock(id(2))) {
      try await store.apply(.remove(id(2)), key: "b")
    }
    try await store.add(SockDraft(id: id(2), [.name("Two")]))
    try await store.apply(.remove(id(2)), key: "b")
    #expect(try await store.count(.all) == 1)
  }

  @Test func `the journal's file keeps rows in their order, and what is changed keeps its place`()
    async throws
  {
    let directory = try TemporaryDirectory()
    func row(_ key: String, _ attempts: Int = 0) -> MutationOutbox.Entry {
      MutationOutbox.Entry(
        key: key, handler: "h", scope: "s", field: key == "b" ? nil : "f", arguments: "{\"x\":1}",
        failedAttempts: attempts, failure: attempts > 1 ? "no" : nil)
    }
    var file: DrawerJournal? = try DrawerJournal(directory: directory.path)
    for key in ["a", "b", "c"] { try await file?.append(row(key), replacing: []) }
    try await file?.append(row("d"), replacing: ["a"])
    try await file?.update("b", to: row("e", 2))
    try await file?.update("gone", to: row("f"))
    try await file?.remove(["c", "gone"])
    file = nil
    let again = try DrawerJournal(directory: directory.path)
    #expect(try await again.mutations() == [row("e", 2), row("d")])
  }
}

/// Takes long to remove rows.
private final class SlowJournal: MutationJournal {
  let removals = ManualCalls<[String], Void>()
  private let journal: MemoryJournal

  init(_ journal: MemoryJournal) { self.journal = journal }

  func mutations() async throws -> [MutationOutbox.Entry] { try await journal.mutations() }

  func append(_ mutation: MutationOutbox.Entry, replacing keys: [String]) async throws {
    try await journal.append(mutation, replacing: keys)
  }

  func update(_ key: String, to mutation: MutationOutbox.Entry) async throws {
    try await journal.update(key, to: mutation)
  }

  func remove(_ keys: [String]) async throws {
    try await removals.call(keys)
    try await journal.remove(keys)
  }
}
