import Testing

@testable import Terminal

/// Events reach whoever asked for them first, and those that came before anybody asked as well.
@MainActor
@Suite struct EventOutletTests {
  @Test func `what came before somebody asked for the sequence is in it`() async {
    let outlet = EventOutlet()
    outlet.send(.key("a"))
    let events = outlet.events
    outlet.send([.key("b"), .drained])
    outlet.finish()
    var seen: [InputEvent] = []
    for await event in events { seen.append(event) }
    #expect(seen == [.key("a"), .key("b"), .drained])
  }

  @Test func `what came before the end is in the sequence, also if nobody asked for it by then`()
    async
  {
    let outlet = EventOutlet()
    outlet.send(.key("a"))
    outlet.finish()
    var seen: [InputEvent] = []
    for await event in outlet.events { seen.append(event) }
    #expect(seen == [.key("a")])
  }

  @Test func `a receiver gets what came before, and then each batch at once`() {
    let outlet = EventOutlet()
    outlet.send(.key("a"))
    outlet.send(.key("b"))
    var batches: [[InputEvent]] = []
    outlet.setReceiver { batches.append($0) }
    outlet.send([.key("c"), .key("d")])
    outlet.finish()
    outlet.send(.key("e"))
    #expect(batches == [[.key("a"), .key("b")], [.key("c"), .key("d")]])
  }
}
