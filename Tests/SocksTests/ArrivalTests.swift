import Loading
import LoadingTesting
import Observation
import Synchronization
import Testing

@testable import Socks

/// What comes and goes: no sock is nowhere for a moment, and none is there twice.
extension SockDrawerTests {
  /// What the list does not have yet, as the user would read it.
  private func arrivals(_ drawer: SockDrawer) -> [String] {
    drawer.arrivals.map { "\($0.sock.name)\(text($0.state))" }
  }

  @Test(.timeLimit(.minutes(10)))
  func `an addition is somewhere at every moment, and nowhere twice`() async {
    let drawer = shownDrawer()
    api.delay = .milliseconds(100)
    api.script(.add, .works(after: .seconds(1)))
    drawer.add(SockDraft(id: id(9), [.name("New")]))
    #expect(arrivals(drawer) == ["New saving"])
    while !rows(drawer).contains("New 0"), !Task.isCancelled {
      #expect(arrivals(drawer).map { $0.prefix(3) } == ["New"])
      // The list is asked for again by a task that is not the clock's.
      await Task.yield()
      runtime.advance(by: .milliseconds(10))
    }
    #expect(arrivals(drawer).isEmpty)
    #expect(rows(drawer) == ["New 0", "Sock 1 10", "Sock 2 10", "Sock 3 30"])
    // Also when it goes again.
    api.changeElsewhere { $0.removeAll { $0.id == id(9) } }
    for _ in 0..<2 {
      drawer.refresh()
      runtime.advance(by: .seconds(1))
    }
    #expect(rows(drawer) == ["Sock 1 10", "Sock 2 10", "Sock 3 30"])
    #expect(arrivals(drawer).isEmpty)
  }

  @Test(.timeLimit(.minutes(10)))
  func `an addition that is not for this list is shown until the list is sure of that`() async {
    let drawer = shownDrawer(SockQuery(filter: SockFilter(text: "sock")))
    api.delay = .milliseconds(100)
    drawer.add(SockDraft(id: id(9), [.name("New")]))
    runtime.advance(by: .milliseconds(150))
    #expect(arrivals(drawer) == ["New"])
    while !arrivals(drawer).isEmpty, !Task.isCancelled {
      await Task.yield()
      runtime.advance(by: .milliseconds(10))
    }
    #expect(arrivals(drawer).isEmpty)
    #expect(rows(drawer) == ["Sock 1 10", "Sock 2 10", "Sock 3 30"])
  }

  @Test func `a page that comes on the screen and loads tells who has asked whether the list does`()
  {
    let drawer = shownDrawer()
    let page = drawer.list.pages[1]
    let notices = Mutex(0)
    let isRelisting = withObservationTracking {
      drawer.isRelisting
    } onChange: {
      notices.withLock { $0 += 1 }
    }
    #expect(!isRelisting)
    page.appear()
    #expect(drawer.isRelisting)
    #expect(notices.withLock(\.self) == 1)
    page.disappear()
    runtime.run()
  }

  @Test func `an addition that fails stays, to be tried again or given up`() {
    let drawer = shownDrawer()
    api.script(.add, .fails(Offline()), .fails(Offline()), .works(), .fails(Offline()))
    let draft = SockDraft(id: id(9), [.name("New"), .notes("Much was typed.")])
    drawer.add(draft)
    runtime.run()
    drawer.refresh()
    runtime.run()
    #expect(arrivals(drawer) == ["New failed"])
    #expect(drawer.arrivals.first?.sock.notes == "Much was typed.")
    drawer.retryFailedChanges(of: id(9))
    #expect(arrivals(drawer) == ["New saving"])
    runtime.run()
    #expect(arrivals(drawer) == ["New failed"])
    // With something else in its place, it is the same sock.
    var other = draft
    other.sock.name = "Newer"
    drawer.add(other)
    #expect(arrivals(drawer) == ["Newer saving"])
    runtime.run()
    drawer.refresh()
    runtime.run()
    #expect(arrivals(drawer).isEmpty)
    #expect(rows(drawer).first == "Newer 0")

    drawer.add(SockDraft(id: id(10), [.name("Unwanted")]))
    runtime.run()
    #expect(arrivals(drawer) == ["Unwanted failed"])
    drawer.dismissFailedChanges(of: id(10))
    #expect(arrivals(drawer).isEmpty)
    #expect(api.socks.count == 4)
  }

  @Test func `a list that gets shorter or longer loses no other row for a moment`() {
    let drawer = shownDrawer()
    api.delay = .milliseconds(100)
    let (long, short) = (rows(drawer), ["Sock 1 10", "Sock 3 30"])
    for _ in 0..<3 {
      api.changeElsewhere { $0.remove(at: 1) }
      #expect(statesOfRows(drawer) == [long, short])
      api.changeElsewhere { $0.insert(sock(2), at: 1) }
      #expect(statesOfRows(drawer) == [short, long])
    }
  }

  /// All that the list is while it is loaded again.
  private func statesOfRows(_ drawer: SockDrawer) -> [[String]] {
    var states = [shownRows(drawer)]
    drawer.refresh()
    for _ in 0..<50 {
      runtime.advance(by: .milliseconds(10))
      let rows = shownRows(drawer)
      if rows != states.last { states.append(rows) }
    }
    return states
  }

  private func shownRows(_ drawer: SockDrawer) -> [String] {
    (0..<(drawer.listing.count ?? 0)).map { index in
      drawer.row(at: index).value.map { "\($0.sock.name) \($0.sock.sogginess)" } ?? "…"
    }
  }

  @Test func `a list that changes all the time is shown all the same, and no key goes by what was`()
  {
    let drawer = shownDrawer()
    api.delay = .milliseconds(100)
    var seen: Set<String> = []
    for round in 0..<40 {
      api.changeElsewhere { $0[1].name = "Sock 2, \(round)" }
      drawer.refresh()
      if let sock = drawer.row(at: 0).value?.sock {
        drawer.setSogginess(of: sock.id, to: sock.sogginess + 1)
      }
      runtime.advance(by: .milliseconds(50))
      seen.insert(shownRows(drawer)[1])
    }
    #expect(seen.count > 5)
    runtime.advance(by: .seconds(2))
    #expect(shownRows(drawer) == ["Sock 1 50", "Sock 2, 39 10", "Sock 3 30"])
    #expect(api.socks[0].sogginess == 50)
  }

  @Test func `a page that is scrolled to does not bring an earlier list back`() async {
    let api = ScriptedSockAPI((1...250).map { sock($0) }, clock: runtime.clock.any, now: { noon })
    let drawer = SockDrawer(
      api, now: { noon }, clock: runtime.clock.any, scheduler: runtime.scheduler)
    drawer.list.load()
    runtime.run()
    drawer.list.show(0..<10)
    runtime.run()
    api.changeElsewhere { $0.removeFirst() }
    api.delay = .milliseconds(100)
    drawer.refresh()
    runtime.advance(by: .seconds(1))
    let first = shownRows(drawer)[0]
    #expect(first != "Sock 1 10")
    await Task.yield()
    drawer.list.show(200..<210)
    runtime.advance(by: .milliseconds(50))
    #expect(shownRows(drawer)[0] == first)
    runtime.advance(by: .seconds(1))
    #expect(shownRows(drawer)[0] == first)
  }
}
