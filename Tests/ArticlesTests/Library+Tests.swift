import Foundation
import GRDB
import Loading
import Storage
import Testing

@testable import Articles

extension Library {
  /// Adds a feed and fetches it; throws why the first fetch failed, even if the feed was added.
  @discardableResult
  func add(
    _ address: String, directory: String = FileManager.default.currentDirectoryPath,
    asksWhich: Bool = false, keepsMistakes: Bool = false
  ) async throws -> Feed {
    let addition = try await addition(
      of: address, directory: directory, asksWhich: asksWhich, keepsMistakes: keepsMistakes)
    if let failure = addition.failure { throw failure }
    return addition.feed
  }

  /// Loads the articles of some feeds as screens do; of a long list the first ones.
  func articles(
    in selection: FeedSelection, refresh: RefreshPolicy = .hourly
  ) -> Loader<[Article]> {
    articles(matching: ArticleQuery(selection), refresh: refresh)
  }

  /// Loads the articles of a list as screens do; of a long list the first ones.
  func articles(matching query: ArticleQuery, refresh: RefreshPolicy) -> Loader<[Article]> {
    listing(matching: query, refresh: refresh).map(\.articles)
  }

  /// Returns how many articles were dropped because they need not be kept any longer.
  @discardableResult
  func tidy() async throws -> Int { try await tidied().dropped.count }
}

extension StoreSchema {
  /// Makes a store of the version before a step, and fills it.
  ///
  /// - Parameter step: what only this step has.
  static func makeStore(
    before step: String, in directory: String, _ filling: String
  ) async throws {
    let version = try #require(articleSteps.firstIndex { $0.contains(step) })
    let old = StoreSchema(
      applicationID: articles.applicationID, steps: Array(articleSteps.prefix(version)),
      functions: articleFunctions)
    try await StoreFile("articles", in: directory, schema: old).write {
      try $0.execute(sql: filling)
    }
  }
}
