import Foundation
import GRDB

/// New articles that nobody has been told of yet.
public struct Arrivals: Sendable {
  /// Newest first.
  public let articles: [Article]
  /// The articles that this library has stored: others have come through another process, which
  /// tells of them itself.
  public let own: [Article]

  public init(_ articles: [Article] = [], own: [Article] = []) {
    (self.articles, self.own) = (articles, own)
  }
}

/// What has arrived since arrivals were last returned.
struct ArrivalState {
  /// The highest id that an article had then, or before the first fetch; nil before that.
  var last: Int64?
  /// The ids that this process has given to articles since; some may be of a write that failed.
  var own = RangeSet<Int64>()
}

extension ArticleStore {
  /// Records which articles exist before anything is fetched, if that has not been done: they are no
  /// arrivals.
  func beginArrivals() async throws {
    guard arrivalState.withLock({ $0.last == nil }) else { return }
    try await read { [self] database in
      try arrivalState.withLock { state in
        if state.last == nil { state.last = try Self.lastID(database) }
      }
    }
  }

  /// Records which articles this process stores, before anyone can see them: ``arrivals()`` would
  /// otherwise take them for those of another process.
  ///
  /// - Parameter ids: in order, without a gap.
  func noteOwn(_ ids: [Article.ID]) {
    guard let first = ids.first, let last = ids.last else { return }
    arrivalState.withLock { state in
      guard state.last != nil else { return }
      state.own.insert(contentsOf: first.rawValue..<last.rawValue + 1)
    }
  }

  /// Returns the unread articles that have arrived since the previous call, or else since
  /// ``beginArrivals()``: ids are never reused, so a higher id is newer.
  func arrivals() async throws -> Arrivals {
    try await read { [self] database in
      guard let before = arrivalState.withLock(\.last) else { return Arrivals() }
      let titles = try Self.feedTitles(database)
      let unread = joined(.unread).condition
      let rows = try SQLRequest<Row>(
        literal: """
          SELECT \(sql: Self.columns) FROM article NOT INDEXED
          WHERE id > \(before) AND \(unread) AND feedID IN (
            SELECT feedID FROM
              (SELECT DISTINCT feedID FROM article NOT INDEXED WHERE id > \(before)) AS new
            WHERE EXISTS (SELECT 1 FROM article AS old
              WHERE old.feedID = new.feedID AND old.id <= \(before)))
          ORDER BY \(ArticleOrder.newest.sql)
          """
      ).fetchAll(database)
      let articles = try named(rows, titles, database)
      let latest = try Self.lastID(database)
      return arrivalState.withLock { state in
        // Another caller has returned them meanwhile.
        guard state.last == before else { return Arrivals() }
        let own = articles.filter { state.own.contains($0.id.rawValue) }
        state.last = latest
        state.own.remove(contentsOf: .min..<latest + 1)
        return Arrivals(articles, own: own)
      }
    }
  }
}
