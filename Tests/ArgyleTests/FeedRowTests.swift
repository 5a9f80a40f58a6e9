import Articles
import Testing

@testable import Argyle

/// Tests of the rows of the list of feeds.
@Suite struct FeedRowTests {
  private func feed(_ number: Int64, in folder: String? = nil, unread: Int) -> FeedSummary {
    FeedSummary(
      feed: Feed(
        id: Feed.ID(rawValue: number), address: "\(number)", title: "\(number)",
        folder: folder.flatMap { FeedFolder(typed: $0) }),
      articleCount: 9, unreadCount: unread)
  }

  private func titles(isOnlyUnread: Bool = true, shown: ReaderList? = nil) -> [String] {
    let feeds = [
      feed(1, in: "Read", unread: 0), feed(2, in: "Both/In", unread: 0),
      feed(3, in: "Both", unread: 2), feed(4, unread: 0), feed(5, unread: 1),
    ]
    return FeedRow.rows(of: feeds, nil, searches: [], shown: shown, isOnlyUnread: isOnlyUnread)
      .dropFirst(4).map(\.title)
  }

  @Test func `feeds and folders without unread articles are left out but for what is shown`()
    throws
  {
    let all = ["▾ Both", "▾ In", "2", "3", "▾ Read", "1", "4", "5"]
    #expect(titles(isOnlyUnread: false) == all)
    #expect(titles(shown: .unread) == ["▾ Both", "3", "5"])
    #expect(titles(shown: .all) == ["▾ Both", "3", "5"])
    let four = ReaderList.feeds(.feed(Feed.ID(rawValue: 4)))
    #expect(titles(shown: four) == ["▾ Both", "3", "4", "5"])
    let read = try #require(FeedFolder(typed: "Read"))
    #expect(titles(shown: .feeds(.folder(read))) == ["▾ Both", "3", "▾ Read", "1", "5"])
  }

  @Test func `folders are in the order of titles, each with what is in it`() {
    let folders = ["Zebra", "Part 10", "apple", "Part 9/b", "part 9", "Part 9/A", "Part 9 and on"]
    let feeds = folders.enumerated().map { feed(Int64($0 + 1), in: $1, unread: 1) }
    let titles = FeedRow.rows(of: feeds, nil, searches: []).compactMap {
      if case .feeds(.folder) = $0.id { $0.name } else { nil }
    }
    let sorted = ["apple", "Part 9", "A", "b", "part 9", "Part 9 and on", "Part 10", "Zebra"]
    #expect(titles == sorted)
    #expect(
      folders.compactMap { FeedFolder(typed: $0) }.sorted().map(\.text) == [
        "apple", "Part 9 / A", "Part 9 / b", "part 9", "Part 9 and on", "Part 10", "Zebra",
      ])
  }

  @Test func `a list that is usually empty stays while it is shown, although it became empty`() {
    func titles(_ shown: ReaderList?) -> [String] {
      FeedRow.rows(of: [], ArticleCounts(), searches: [], shown: shown).dropFirst(4).map(\.title)
    }
    #expect(titles(.later) == ["Read later"])
    #expect(titles(.muted) == ["Muted"])
    #expect(titles(.unread) == [])
  }

  @Test func `muted articles have a list where there are some`() {
    func titles(_ muted: Int) -> [String] {
      FeedRow.rows(of: [], ArticleCounts(muted: muted), searches: []).map(\.title)
    }
    #expect(!titles(0).contains("Muted"))
    #expect(titles(3).last == "Muted")
  }

  @Test func `accounts of one user have the names of their servers`() {
    func names(_ users: String...) -> [String] {
      let accounts = users.enumerated().map { index, user in
        AccountSummary(
          account: SyncAccount(
            id: SyncAccount.ID(rawValue: Int64(index)), kind: .googleReader,
            address: "https://\(index).example:81/api", user: user))
      }
      return FeedRow.rows(of: [], nil, searches: [], accounts: accounts).dropFirst(4).map(\.name)
    }
    #expect(names("ann", "bob") == ["ann@0.example:81", "bob@1.example:81"])
    #expect(names("ann", "bob", "ann") == ["0.example:81", "bob@1.example:81", "2.example:81"])
  }
}
