import Foundation
import Loading
import LoadingTesting
import Testing

@testable import Socks

struct Offline: Error {}

@MainActor
@Suite struct SockDrawerTests {
  let runtime = ManualRuntime()
  let api: ScriptedSockAPI

  init() {
    api = ScriptedSockAPI(
      [sock(1), sock(2), sock(3, sogginess: 30)], clock: runtime.clock.any, now: { noon })
  }

  /// A drawer whose first rows are on the screen.
  func shownDrawer(_ query: SockQuery = SockQuery()) -> SockDrawer {
    let drawer = SockDrawer(
      api, query: query, now: { noon }, clock: runtime.clock.any, scheduler: runtime.scheduler)
    drawer.list.load()
    runtime.run()
    drawer.list.show(0..<10)
    runtime.run()
    return drawer
  }

  /// The rows as the user would read them.
  func rows(_ drawer: SockDrawer) -> [String] {
    (0..<(drawer.list.state.value ?? 0)).map { index in
      guard let row = drawer.row(at: index).value else { return "…" }
      return "\(row.sock.name) \(row.sock.sogginess)\(text(row.state))"
    }
  }

  func text(_ state: DrawerRow.State) -> String {
    switch state {
    case .settled: ""
    case .changed: " changed"
    case .saving: " saving"
    case .saved(let instant): " saved at \(instant.offset)"
    case .failed: " failed"
    case .removable(let instant): " until \(instant.offset)"
    case .removing: " removing"
    }
  }

  /// What was told about changes that failed, until now.
  private func toldFailures(_ drawer: SockDrawer) async -> [FailedMutation] {
    var told: [FailedMutation] = []
    var failures = drawer.failures.failures.makeAsyncIterator()
    while drawer.failures.unreadCount > 0, let failure = await failures.next() {
      told.append(failure)
    }
    return told
  }

  // MARK: Showing

  @Test func `a list shows the socks of its query`() {
    #expect(rows(shownDrawer()) == ["Sock 1 10", "Sock 2 10", "Sock 3 30"])
    let wettest = SockQuery(order: SockOrder(by: .sogginess, descending: true))
    #expect(rows(shownDrawer(wettest)) == ["Sock 3 30", "Sock 2 10", "Sock 1 10"])
  }

  @Test func `another query keeps the old rows until the new ones are there`() {
    let drawer = shownDrawer()
    api.delay = .milliseconds(100)
    drawer.show(SockQuery(filter: SockFilter(text: "sock 3")))
    runtime.advance(by: .milliseconds(99))
    #expect(rows(drawer) == ["Sock 1 10", "Sock 2 10", "Sock 3 30"])
    runtime.advance(by: .milliseconds(101))
    #expect(rows(drawer) == ["Sock 3 30"])
  }

  // MARK: Sogginess

  @Test func `a change is on the screen at once, in the list and in the detail, and then kept`() {
    let drawer = shownDrawer()
    let detail = drawer.sock(id(2))
    runtime.run()
    api.delay = .seconds(1)
    drawer.changeSogginess(of: id(2), by: 5)
    #expect(rows(drawer) == ["Sock 1 10", "Sock 2 15 saving", "Sock 3 30"])
    #expect(detail.latestValue?.sogginess == 15)
    #expect(api.socks[1].sogginess == 10)
    runtime.advance(by: .seconds(1))
    #expect(rows(drawer) == ["Sock 1 10", "Sock 2 15 saved at 1.0 seconds", "Sock 3 30"])
    #expect(api.socks[1].sogginess == 15)
  }

  @Test func `a change made in the detail is in the list at once`() {
    let drawer = shownDrawer()
    let detail = drawer.sock(id(2))
    runtime.run()
    api.delay = .seconds(1)
    detail.access(commit: drawer.sogginessCommit)?.sogginess.modify { $0 = 77 }
    #expect(rows(drawer)[1] == "Sock 2 77 saving")
    drawer.changeSogginess(of: id(2), by: 3)
    #expect(detail.latestValue?.sogginess == 80)
    runtime.advance(by: .seconds(3))
    #expect(api.socks[1].sogginess == 80)
    #expect(api.callCount(.update) == 2)
  }

  @Test func `a slider held down makes few commits, and the last value wins`() {
    let drawer = shownDrawer()
    api.delay = .milliseconds(10)
    // A second at the rate at which a terminal repeats a key.
    for _ in 0..<30 {
      drawer.changeSogginess(of: id(1), by: 1)
      runtime.advance(by: .milliseconds(33))
    }
    #expect(rows(drawer)[0] == "Sock 1 40 changed")
    runtime.advance(by: .seconds(1))
    #expect(api.socks[0].sogginess == 40)
    #expect(rows(drawer)[0] == "Sock 1 40 saved at 1.01 seconds")
    #expect(api.callCount(.update) == 5)
  }

  @Test func `a key that is pressed once is kept at once, and the next one a moment later`() {
    let drawer = shownDrawer()
    drawer.changeSogginess(of: id(1), by: 5)
    runtime.run()
    #expect(api.socks[0].sogginess == 15)
    runtime.advance(by: .milliseconds(50))
    drawer.changeSogginess(of: id(1), by: 5)
    runtime.advance(by: .milliseconds(199))
    #expect(api.socks[0].sogginess == 15)
    runtime.advance(by: .milliseconds(1))
    #expect(api.socks[0].sogginess == 20)
    // Another sock is another slider.
    drawer.changeSogginess(of: id(2), by: 5)
    runtime.run()
    #expect(api.socks[1].sogginess == 15)
  }

  @Test func `nobody waits for a slider at the end`() async {
    let drawer = shownDrawer()
    drawer.changeSogginess(of: id(1), by: 5)
    drawer.changeSogginess(of: id(1), by: 5)
    runtime.run()
    #expect(api.socks[0].sogginess == 15)
    let end = Task { await drawer.finish() }
    await runtime.run { api.socks[0].sogginess == 20 }
    #expect(await end.value.isEmpty)
    #expect(runtime.clock.now.offset == .zero)
  }

  @Test func `a sogginess stays in its range`() {
    let drawer = shownDrawer()
    drawer.changeSogginess(of: id(3), by: 200)
    runtime.run()
    #expect(api.socks[2].sogginess == 100)
    drawer.changeSogginess(of: id(3), by: 1)
    runtime.run()
    #expect(api.callCount(.update) == 1)
    drawer.changeSogginess(of: id(3), by: -200)
    runtime.advance(by: .milliseconds(250))
    #expect(api.socks[2].sogginess == 0)
  }

  // MARK: Failures

  @Test func `a failed change takes back itself alone, is told once and can be tried again`() async
  {
    let drawer = shownDrawer()
    api.script(.update, .fails(Offline(), after: .seconds(1)), .works(after: .seconds(1)))
    drawer.setSogginess(of: id(1), to: 90)
    drawer.edit(id(1), [.name("Renamed"), .colour("blue")])
    runtime.advance(by: .seconds(1))
    #expect(rows(drawer)[0] == "Renamed 10 failed")
    #expect(api.socks[0].name == "Renamed")

    let told = await toldFailures(drawer)
    #expect(told.count == 1)
    let failure = told.first?.error as? SockChangeFailure
    #expect(failure?.what == "The sogginess of “Sock 1” was not saved.")
    #expect(failure?.reason is Offline)
    told.first?.retry?()
    runtime.run()
    #expect(api.socks[0].sogginess == 90)
    #expect(rows(drawer)[0] == "Renamed 90 saved at 1.0 seconds")
  }

  @Test func `a failure outlives a refresh, until somebody dismisses it`() {
    let drawer = shownDrawer()
    api.script(.update, .fails(Offline()))
    drawer.setSogginess(of: id(1), to: 90)
    runtime.run()
    for _ in 0..<3 {
      drawer.refresh()
      runtime.run()
    }
    #expect(rows(drawer)[0] == "Sock 1 10 failed")
    runtime.advance(by: .seconds(1))
    drawer.retryFailedChanges(of: id(1))
    runtime.run()
    #expect(rows(drawer)[0] == "Sock 1 90 saved at 1.0 seconds")

    api.script(.update, .fails(Offline()))
    drawer.setSogginess(of: id(1), to: 95)
    runtime.advance(by: .seconds(1))
    drawer.dismissFailedChanges(of: id(1))
    #expect(rows(drawer)[0].hasPrefix("Sock 1 90 saved"))
  }

  // MARK: Removing

  @Test func `a removal can be undone for five seconds`() {
    let drawer = shownDrawer()
    drawer.remove(id(2))
    drawer.remove(id(2))
    #expect(rows(drawer)[1] == "Sock 2 10 until 5.0 seconds")
    runtime.advance(by: .seconds(4))
    drawer.remove(id(1))
    #expect(drawer.undoRemoval(of: id(2)))
    #expect(!drawer.undoRemoval(of: id(2)))
    runtime.advance(by: .seconds(2))
    #expect(rows(drawer)[1] == "Sock 2 10")
    #expect(api.socks.count == 3)
  }

  @Test func `a sock that is removed goes from its row only when it is gone`() {
    let drawer = shownDrawer()
    api.script(.remove, .works(after: .seconds(2)))
    drawer.remove(id(2))
    runtime.advance(by: .seconds(6))
    #expect(rows(drawer)[1] == "Sock 2 10 removing")
    #expect(!drawer.undoRemoval(of: id(2)))
    runtime.advance(by: .seconds(1))
    #expect(api.socks.map(\.id) == [id(1), id(3)])
    #expect(rows(drawer)[1] == "Sock 2 10 removing")
    // The list needs its time to hear of it.
    api.delay = .seconds(1)
    drawer.refresh()
    drawer.refresh()
    #expect(rows(drawer)[1] == "Sock 2 10 removing")
    runtime.advance(by: .milliseconds(999))
    #expect(rows(drawer)[1] == "Sock 2 10 removing")
    runtime.advance(by: .seconds(3))
    api.delay = .zero
    #expect(rows(drawer) == ["Sock 1 10", "Sock 3 30"])
    // Put back by somebody, it is a sock like any other.
    api.changeElsewhere { $0.append(sock(2)) }
    drawer.refresh()
    runtime.run()
    #expect(rows(drawer) == ["Sock 1 10", "Sock 2 10", "Sock 3 30"])
  }

  @Test func `a sock can be changed while its removal may be undone`() {
    let drawer = shownDrawer()
    drawer.remove(id(2))
    drawer.setSogginess(of: id(2), to: 50)
    runtime.run()
    #expect(api.socks[1].sogginess == 50)
    #expect(rows(drawer)[1] == "Sock 2 50 until 5.0 seconds")
  }

  @Test func `a removal that fails leaves the sock, and somebody else's is as good as ours`() {
    let drawer = shownDrawer()
    api.script(.remove, .fails(Offline()))
    drawer.remove(id(1))
    drawer.remove(id(2))
    api.changeElsewhere { $0.removeAll { $0.id == id(2) } }
    runtime.advance(by: .seconds(5))
    drawer.refresh()
    runtime.run()
    #expect(rows(drawer) == ["Sock 1 10 failed", "Sock 3 30"])
  }

  // MARK: Pairs

  @Test func `a pair is shown at once and kept`() {
    let drawer = shownDrawer()
    api.delay = .seconds(1)
    drawer.pair(id(1), with: id(3))
    #expect(drawer.row(at: 0).value?.sock.pair == id(3))
    runtime.advance(by: .seconds(1))
    drawer.refresh()
    runtime.advance(by: .seconds(2))
    #expect(drawer.row(at: 2).value?.sock.pair == id(1))
    drawer.unpair(id(3))
    runtime.advance(by: .seconds(1))
    drawer.refresh()
    runtime.advance(by: .seconds(2))
    #expect((0..<3).map { drawer.row(at: $0).value?.sock.pair } == [nil, nil, nil])
  }

  // MARK: Keeping up

  @Test func `a change elsewhere appears, and a change here stays over it`() {
    let drawer = shownDrawer()
    api.script(.update, .works(after: .seconds(1)))
    drawer.setSogginess(of: id(1), to: 20)
    api.changeElsewhere { socks in
      socks[0].name = "Sock 1, theirs"
      socks[1].name = "Sock 2, theirs"
    }
    drawer.refresh()
    runtime.run()
    #expect(rows(drawer) == ["Sock 1 20 saving", "Sock 2, theirs 10", "Sock 3 30"])
    runtime.advance(by: .seconds(1))
    #expect(rows(drawer)[0] == "Sock 1, theirs 20 saved at 1.0 seconds")
    #expect(api.socks[0].name == "Sock 1, theirs")
  }

  @Test func `a resource that says nothing new is forgotten, and nothing on the screen changes`() {
    let drawer = shownDrawer()
    drawer.setSogginess(of: id(1), to: 20)
    runtime.run()
    let detail = drawer.sock(id(2))
    detail.appear()
    runtime.run()
    api.delay = .seconds(1)
    drawer.refresh()
    #expect(rows(drawer)[0].hasPrefix("Sock 1 20"))
    runtime.advance(by: .seconds(2))
    #expect(rows(drawer)[0].hasPrefix("Sock 1 20"))
    drawer.refresh()
    runtime.advance(by: .seconds(2))
    #expect(Set(drawer.overlays.keys) == [id(2)])
    #expect(rows(drawer) == ["Sock 1 20", "Sock 2 10", "Sock 3 30"])
  }

  // MARK: The end

  @Test func `at the end removals are not waited for, and commits are, until somebody gives up`()
    async
  {
    let drawer = shownDrawer()
    drawer.remove(id(1))
    #expect(drawer.isSaving)
    let end = Task { await drawer.finish() }
    await runtime.run { api.socks.count == 2 }
    #expect(await end.value.isEmpty)
    #expect(!drawer.isSaving)

    api.script(.update, .works(after: .seconds(60)))
    drawer.setSogginess(of: id(2), to: 99)
    var unsaved: [SockChangeFailure]?
    let impatientEnd = Task { unsaved = await drawer.finish() }
    await runtime.run { runtime.clock.sleeperCount == 1 }
    #expect(unsaved == nil)
    impatientEnd.cancel()
    await runtime.run { unsaved != nil }
    #expect(unsaved?.map(\.what) == ["The sogginess of “Sock 2” was not saved."])
    #expect(drawer.isSaving)
  }

  @Test(arguments: [true, false])
  func `a sock that is being added at the end is waited for, and named if that takes too long`(
    isAdded: Bool
  ) async {
    let drawer = shownDrawer()
    api.script(.add, .works(after: .seconds(60)))
    drawer.add(SockDraft(id: id(9), [.name("New")]))
    var hasBegun = false
    var unsaved: [SockChangeFailure]?
    let end = Task {
      hasBegun = true
      unsaved = await drawer.finish()
    }
    await runtime.run { hasBegun && runtime.clock.sleeperCount == 1 }
    #expect(unsaved == nil)
    if isAdded { runtime.advance(by: .seconds(60)) } else { end.cancel() }
    await runtime.run { unsaved != nil }
    await end.value
    #expect(unsaved?.map(\.what) == (isAdded ? [] : ["“New” was not added to the drawer."]))
    runtime.advance(by: .seconds(60))
  }

  @Test func `a change that the removal of its sock overtakes is no failure at the end`() async {
    let drawer = shownDrawer()
    api.script(.update, .works(after: .seconds(1)))
    drawer.setSogginess(of: id(1), to: 99)
    drawer.remove(id(1))
    var unsaved: [SockChangeFailure]?
    let end = Task { unsaved = await drawer.finish() }
    await runtime.run { api.socks.count == 2 && runtime.clock.sleeperCount == 1 }
    runtime.advance(by: .seconds(1))
    await runtime.run { unsaved != nil }
    await end.value
    #expect(unsaved?.map(\.what) == [])
  }

  @Test func `the end tells of everything that failed and was neither tried again nor dismissed`()
    async
  {
    let drawer = shownDrawer()
    api.script(.update, .fails(Offline()))
    drawer.setSogginess(of: id(1), to: 99)
    runtime.run()
    api.script(.pair, .fails(Offline(), after: .seconds(1)))
    drawer.pair(id(2), with: id(3))
    var unsaved: [SockChangeFailure]?
    let end = Task { unsaved = await drawer.finish() }
    await runtime.run { runtime.clock.sleeperCount == 1 }
    runtime.advance(by: .seconds(1))
    await runtime.run { unsaved != nil }
    await end.value
    #expect(
      unsaved?.map(\.what) == [
        "The sogginess of “Sock 1” was not saved.", "The pair of “Sock 2” was not changed.",
      ])
    #expect(unsaved?.allSatisfy { $0.reason is Offline } == true)
    drawer.dismissFailedChanges(of: id(1))
    drawer.dismissFailedChanges(of: id(2))
    #expect(await drawer.finish().isEmpty)
  }
}
