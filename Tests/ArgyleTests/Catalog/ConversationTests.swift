import Loading
import TerminalUI
import Testing

@testable import Argyle

/// Tests of the catalog's conversation, which is read in both directions by keys alone.
@MainActor
@Suite struct ConversationTests {
  private let display = EnvironmentValues(DisplaySettings(reduceMotion: true))

  /// Opens the page on its own.
  private func open(_ size: Size) -> Still {
    let scene = Scene("conversation", "A conversation.", at: .zero) {
      PageScene($0, .conversation)
    }
    return Still(scene, size: size, environment: display)
  }

  /// Opens the page in the catalog, presses keys on its options, and goes to its view.
  private func openInCatalog(_ keys: String) throws -> Still {
    let scene = try #require(Scene.named("catalog"))
    let still = Still(scene, size: Size(width: 80, height: 24), environment: display)
    let index = try #require(CatalogPage.all.firstIndex { $0.name == "Conversation" })
    let turns = Array(repeating: "n", count: index).joined(separator: " ")
    still.play(try KeyScript("\(turns) \(keys) tab tab"))
    return still
  }

  /// The lines of the page inside its frame, without the scroll bar.
  private func lines(_ still: Still) -> [String] {
    still.lines.filter { $0.first == "│" }.map { line in
      let inside = line.dropFirst().reversed().drop { "▐│ ".contains($0) }.reversed()
      return String(inside.drop { $0 == " " })
    }
  }

  /// The messages on the screen.
  private func messages(_ still: Still) -> [String] { Array(lines(still).dropFirst().dropLast()) }

  /// The rows of the catalog that the view of the page takes.
  private func view(_ still: Still) -> String {
    still.lines[3..<12].map { String($0.dropFirst(39)) }.joined(separator: "\n")
  }

  private func play(_ keys: String, _ still: Still) throws { still.play(try KeyScript(keys)) }

  @Test func `it opens with a stored page and its age, and is refreshed without moving`() {
    let still = open(Size(width: 40, height: 9))
    defer { still.end() }
    #expect(
      lines(still) == [
        "More above             as of 2 h ago",
        "101 Maud The green one, with the",
        "hole.",
        "102 Ines They all have holes by",
        "now. You would have to say which",
        "20 messages, more below",
      ])
    still.run(to: .milliseconds(900))
    #expect(
      lines(still) == [
        "More above                 as of now",
        "101 Maud The green one, with the",
        "hole.",
        "102 Ines They all have holes by",
        "now. You would have to say which",
        "20 messages, more below",
      ])
    still.run(to: .seconds(3))
    #expect(
      lines(still) == [
        "More above                 as of now",
        "101 Maud The green one, with the",
        "hole.",
        "102 Ines They all have holes by",
        "now. You would have to say which",
        "40 messages, more below",
      ])
  }

  @Test(arguments: [
    Size(width: 80, height: 24), Size(width: 40, height: 15), Size(width: 90, height: 50),
  ])
  func `nothing moves while pages come and go, up to the first message and down to the last`(
    size: Size
  ) throws {
    let still = open(size)
    defer { still.end() }
    var time = 3
    still.run(to: .seconds(time))
    func read(_ key: String, until isEnd: ([String]) -> Bool) throws {
      for _ in 0..<120 where !isEnd(lines(still)) {
        try play(key, still)
        let before = messages(still)
        time += 2
        still.run(to: .seconds(time))
        #expect(messages(still) == before)
      }
      #expect(isEnd(lines(still)))
    }
    try read("pgup") { $0[0].hasPrefix("The beginning") && $0[1].hasPrefix("1 Maud") }
    try read("pgdn") { lines in
      lines.last?.hasSuffix(" messages") == true && lines.contains { $0.hasPrefix("200 ") }
    }
    try read("pgup") { $0[0].hasPrefix("The beginning") && $0[1].hasPrefix("1 Maud") }
  }

  @Test func `an earlier page that failed is retried by r, and by nothing else`() throws {
    let still = try openInCatalog("down down down right")
    defer { still.end() }
    still.run(to: .seconds(4))
    let failed = """
      │  ✗ These messages could…  r to retry  │
      │ 101 Maud The green one, with the    ▐ │
      │ hole.                                 │
      │ 102 Ines They all have holes by now.  │
      │ You would have to say which toe.      │
      │ 103 Maud The big toe. It was on the   │
      │ line on Tuesday, between the towel    │
      │ and your terrible trousers.           │
      │ 20 messages, more below               │
      """
    #expect(view(still) == failed)
    try play("j k", still)
    still.run(to: .seconds(8))
    #expect(view(still) == failed)
    try play("r", still)
    still.run(to: .seconds(12))
    #expect(
      view(still) == """
        │ More above                  as of now │
        │ 101 Maud The green one, with the      │
        │ hole.                                 │
        │ 102 Ines They all have holes by now.  │
        │ You would have to say which toe.    ▐ │
        │ 103 Maud The big toe. It was on the   │
        │ line on Tuesday, between the towel    │
        │ and your terrible trousers.           │
        │ 40 messages, more below               │
        """)
  }

  @Test func `a reload keeps what is there, and brings what has arrived`() throws {
    let still = open(Size(width: 40, height: 12))
    defer { still.end() }
    still.run(to: .seconds(3))
    try play("k k k k k k", still)
    let before = messages(still)
    #expect(before[0].hasPrefix("95 "))
    try play("r", still)
    still.run(to: .seconds(5))
    #expect(lines(still).last == "40 messages, more below")
    still.run(to: .seconds(9))
    #expect(messages(still) == before)
  }

  @Test func `an end that is at hand is loaded after the reload that the user started`() throws {
    let still = open(Size(width: 40, height: 12))
    defer { still.end() }
    still.run(to: .seconds(3))
    try play("r g", still)
    still.run(to: .seconds(9))
    #expect(lines(still).last == "60 messages, more below")
    #expect(messages(still)[0].hasPrefix("81 "))
  }
}
