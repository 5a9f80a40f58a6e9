import Articles
import TerminalUI
import Testing

@testable import Argyle

@MainActor
@Suite struct ListFinderTests {
  private static func feed(_ id: Int64, _ title: String, in path: [String] = []) -> FeedSummary {
    FeedSummary(
      feed: Feed(
        id: Feed.ID(rawValue: id), address: "https://example.org/\(id)", title: title,
        folder: FeedFolder(path)),
      articleCount: 0)
  }

  private let rows = FeedRow.rows(
    of: [
      feed(1, "Swift Weekly", in: ["Tech", "Languages"]), feed(2, "Notes on Swift"),
      feed(3, "Café Society"), feed(4, "Swiftly"), feed(5, "Unswift"), feed(6, "All about wool"),
    ], nil, searches: [SavedSearch(name: "swift actors", text: "swift actors")])

  private func names(_ typed: String) -> [String] {
    ListFinder.matches(typed, among: rows).map { ($0.path + [$0.row.name]).joined(separator: "/") }
  }

  @Test func `what begins with the words is first, then what has a word that does`() {
    #expect(
      names("swift") == [
        "swift actors", "Tech/Languages/Swift Weekly", "Swiftly", "Notes on Swift", "Unswift",
      ])
    #expect(names("swift w").first == "Tech/Languages/Swift Weekly")
    #expect(names("weekly swift") == ["Tech/Languages/Swift Weekly"])
  }

  @Test func `a list is found by its name as the list of feeds shows it`() {
    #expect(names("/ swift actors") == ["swift actors"])
    #expect(names("★ starred") == ["Starred"])
    #expect(names("/") == ["swift actors"])
  }

  /// Returns the rows and columns of the sheet after some keys.
  private func sheet(after keys: String) throws -> (rows: Range<Int>, columns: Range<Int>) {
    let scene = try #require(Scene.all.first { $0.name == "articles" })
    let still = Still(scene, 80, 24)
    still.play(try KeyScript(keys))
    defer { still.end() }
    let lines = still.frame.text
      .split(separator: "\n", omittingEmptySubsequences: false).map(Array.init)
    let top = try #require(lines.firstIndex { $0.contains("╭") })
    let bottom = try #require(lines.firstIndex { $0.contains("╰") })
    let left = try #require(lines[top].firstIndex(of: "╭"))
    let right = try #require(lines[top].firstIndex(of: "╮"))
    return (top..<bottom + 1, left..<right + 1)
  }

  @Test func `the sheet is as high as its lists, and keeps its size if none matches`() throws {
    let whole = try sheet(after: "@1 L @2")
    let lists = 9
    #expect(whole.rows.count == lists + 3)
    #expect(try sheet(after: "@1 L @2 z z @3") == whole)
  }

  @Test func `the footer says what Enter does, and nothing where it does nothing`() throws {
    let scene = try #require(Scene.all.first { $0.name == "articles" })
    for (keys, isThere) in [("@1 L @2", true), ("@1 L @2 z z @3", false)] {
      let still = Still(scene, 80, 24)
      still.play(try KeyScript(keys))
      defer { still.end() }
      #expect(still.frame.text.contains("Enter go there") == isThere)
    }
  }

  @Test func `a form is as wide as what is typed into it may be`() throws {
    #expect(try sheet(after: "@1 T @2").columns.count == 50)
    #expect(try sheet(after: "@1 left down down down down e @2").columns.count == 54)
  }

  @Test func `a list without a row stands above all that have one`() {
    let second = ReaderList.feeds(.feed(Feed.ID(rawValue: 2)))
    let (above, below) = rows.around(second)
    #expect(above.map(\.id) + [second] + below.map(\.id) == rows.map(\.id))
    let gone = rows.around(.muted)
    #expect(gone.above.isEmpty && gone.below.map(\.id) == rows.map(\.id))
  }

  @Test func `case, diacritics and spaces make no difference`() {
    #expect(names("  CAFE ") == ["Café Society"])
    #expect(names("all") == ["All articles", "All about wool"])
    #expect(names("star") == ["Starred"])
  }

  @Test func `a feed is found by its folders, and they are found too`() {
    #expect(
      names("tech") == [
        "Tech", "Tech/Languages", "Tech/Languages/Swift Weekly",
      ])
    #expect(names("lang weekly") == ["Tech/Languages/Swift Weekly"])
  }

  @Test func `nothing typed offers every list, in the order of the list of feeds`() {
    #expect(ListFinder.matches("", among: rows).map(\.id) == rows.map(\.id))
    #expect(names("no such list").isEmpty)
  }
}
