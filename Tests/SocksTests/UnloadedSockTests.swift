import Foundation
import Loading
import LoadingTesting
import Testing

@testable import Socks

/// Tests of changes of socks that the list does not show.
@MainActor
@Suite(.timeLimit(.minutes(10))) struct UnloadedSockTests {
  /// A change of the first sock.
  enum Change: CaseIterable, Sendable {
    case sogginess, name, pair, unpair, removal

    @MainActor func make(in drawer: SockDrawer) {
      let known = sock(1)
      switch self {
      case .sogginess: drawer.setSogginess(of: id(1), to: 90, known: known)
      case .name: drawer.edit(id(1), [.name("Renamed")], known: known)
      case .pair: drawer.pair(id(1), with: id(2), known: known)
      case .unpair: drawer.unpair(id(1), known: known)
      case .removal: drawer.remove(id(1), known: known)
      }
    }

    var function: ScriptedSockAPI.Function {
      switch self {
      case .sogginess, .name: .update
      case .pair: .pair
      case .unpair: .unpair
      case .removal: .remove
      }
    }
  }

  let runtime = ManualRuntime()
  let api: ScriptedSockAPI

  init() {
    api = ScriptedSockAPI([sock(1), sock(2)], clock: runtime.clock.any, now: { noon })
  }

  /// A drawer whose list is not loaded.
  private func drawer(_ api: (any SockAPI)? = nil) -> SockDrawer {
    SockDrawer(
      api ?? self.api, now: { noon }, clock: runtime.clock.any, scheduler: runtime.scheduler)
  }

  @Test(arguments: Change.allCases)
  func `a change is listed while it is saved, and when that has failed`(change: Change) async {
    let drawer = drawer()
    // Neither can the sock be read.
    for function in [change.function, .sock] {
      api.script(function, .fails(Offline(), after: .seconds(1)))
    }
    change.make(in: drawer)
    runtime.run()
    #expect(drawer.changes.map(\.sock.id) == [id(1)])
    runtime.advance(by: .seconds(7))
    #expect(drawer.changes.map(\.sock.id) == [id(1)])
    guard case .failed? = drawer.changes.first?.phase else {
      Issue.record("The change has not failed.")
      return
    }
    let unsaved = await drawer.finish()
    #expect(unsaved.map(\.sock.id) == [id(1)])
    #expect(unsaved.first?.reason is Offline)
  }

  @Test(arguments: Change.allCases)
  func `a change that is not saved at the end is named`(change: Change) async {
    let drawer = drawer()
    api.script(change.function, .works(after: .seconds(60)))
    change.make(in: drawer)
    runtime.run()
    var unsaved: [SockChangeFailure]?
    let end = Task { unsaved = await drawer.finish() }
    await runtime.run { api.callCount(change.function) == 1 }
    end.cancel()
    await runtime.run { unsaved != nil }
    #expect(unsaved?.map(\.sock.id) == [id(1)])
    runtime.advance(by: .seconds(60))
  }

  @Test func `a sogginess is saved although the caller takes it for the current one`() {
    let drawer = drawer()
    // As when a change is undone, and the sock is only known from before the change.
    drawer.setSogginess(of: id(1), to: 40, known: sock(1, sogginess: 40))
    runtime.run()
    #expect(api.socks[0].sogginess == 40)
  }

  @Test func `what a caller knows of a sock is not taken for its stored value`() async throws {
    let journal = MemoryJournal()
    let drawer = SockDrawer(
      api, journal: journal, now: { noon }, clock: runtime.clock.any,
      scheduler: runtime.scheduler)
    api.delay = .seconds(1_000)
    drawer.edit(id(1), [.name("Renamed")], known: sock(1, "Earlier"))
    let outbox = try #require(drawer.outbox)
    await runtime.run { outbox.changes.count == 1 }
    #expect(outbox.changes.map(\.0) == [.update(id(1), [.name("Renamed")])])
    runtime.advance(by: .seconds(1_000))
    await runtime.run { !drawer.isSaving }
  }

  @Test func `a retained sock is up to date, although no list shows it`() {
    let drawer = drawer()
    drawer.retained = [id(1)]
    runtime.run()
    api.changeElsewhere { $0[0].sogginess = 70 }
    drawer.refresh()
    runtime.run()
    #expect(drawer.overlays[id(1)]?.latestValue?.sogginess == 70)
    drawer.retained = []
    drawer.refresh()
    #expect(drawer.overlays.isEmpty)
  }

  @Test func `a load that began before the removal of its sock does not bring the sock back`()
    async throws
  {
    let slow = SlowReads(api)
    let drawer = drawer(slow)
    let resource = drawer.sock(id(1))
    resource.set(.loaded(sock(1)))
    resource.load()
    runtime.run()
    try #require(slow.reads.count == 1)
    drawer.remove(id(1))
    runtime.advance(by: .seconds(5))
    await runtime.run { api.socks.count == 1 && !drawer.isSaving }
    guard case .removing = drawer.state(of: id(1)) else {
      Issue.record("The sock has not been removed.")
      return
    }
    slow.reads[0].succeed(sock(1))
    runtime.run()
    if case .removing = drawer.state(of: id(1)) {} else { Issue.record("The sock is back.") }
    // Another process adds it again.
    await runtime.run { slow.reads.count == 2 }
    slow.reads[1].succeed(sock(1))
    runtime.run()
    if case .removing = drawer.state(of: id(1)) { Issue.record("The sock is not back.") }
  }
}

/// A drawer in which reading a sock takes as long as the test says.
private final class SlowReads: SockAPI {
  let reads = ManualCalls<Sock.ID, Sock>()
  private let api: ScriptedSockAPI

  init(_ api: ScriptedSockAPI) { self.api = api }

  func sock(_ id: Sock.ID) async throws -> Sock { try await reads.call(id) }

  func count(_ filter: SockFilter) async throws -> Int { try await api.count(filter) }
  func socks(_ range: Range<Int>, _ query: SockQuery) async throws -> [Sock] {
    try await api.socks(range, query)
  }
  func place(of id: Sock.ID, in query: SockQuery) async throws -> Int? {
    try await api.place(of: id, in: query)
  }
  func apply(_ change: SockChange, key: String?) async throws {
    try await api.apply(change, key: key)
  }
  func partners(of id: Sock.ID, limit: Int) async throws -> [Sock] {
    try await api.partners(of: id, limit: limit)
  }
  func changes() -> AsyncStream<Void> { api.changes() }
}
