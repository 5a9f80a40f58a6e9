import Foundation
import Synchronization

@testable import Articles

/// What a server for syncing has: feeds, articles and their marks.
///
/// Nothing of a protocol: doubles and reference models are made of it.
struct ServerModel: Sendable {
  struct Item: Sendable, Equatable {
    var feed: String
    var title: String
    var link: String
    var isRead = false
    var isStarred = false
    var labels: Set<String> = []
  }

  struct Subscription: Sendable, Equatable {
    var address: String
    var title: String
    var folder: String?
  }

  private(set) var items: [Int64: Item] = [:]
  var feeds: [String: Subscription] = [:]
  private var lastFeed = 0
  private var lastItem: Int64 = 0

  /// The titles of the articles that each feed has when it is subscribed to.
  var published: [String: [String]] = [:]

  @discardableResult
  mutating func subscribe(_ address: String, title: String? = nil, folder: String? = nil) -> String
  {
    lastFeed += 1
    let id = "feed/\(lastFeed)"
    feeds[id] = Subscription(address: address, title: title ?? address, folder: folder)
    // Articles have the same links when their feed is subscribed to again.
    for (number, title) in (published[address] ?? []).enumerated() {
      publish(title, in: id, at: "\(address)/\(number)")
    }
    return id
  }

  @discardableResult
  mutating func publish(
    _ title: String, in feed: String, at address: String? = nil
  ) -> RemoteID {
    lastItem += 1
    let link = address ?? "\(feeds[feed]?.address ?? "https://example.org")/\(lastItem)"
    items[lastItem] = Item(feed: feed, title: title, link: link)
    return RemoteID(number: lastItem)
  }

  mutating func unsubscribe(_ feed: String) {
    feeds[feed] = nil
    items = items.filter { $0.value.feed != feed }
  }

  /// As when it is restored from a backup that did not have it yet.
  mutating func lose(_ id: RemoteID) { if let number = id.number { items[number] = nil } }

  /// False when there is no such article.
  @discardableResult
  mutating func set(_ mark: RemoteMark, _ value: Bool, of id: RemoteID) -> Bool {
    guard let number = id.number, var item = items[number] else { return false }
    switch mark {
    case .unread: item.isRead = !value
    case .starred: item.isStarred = value
    case .label(let name) where value: item.labels.insert(name)
    case .label(let name): item.labels.remove(name)
    }
    items[number] = item
    return true
  }

  func has(_ mark: RemoteMark, _ item: Item) -> Bool {
    switch mark {
    case .unread: !item.isRead
    case .starred: item.isStarred
    case .label(let name): item.labels.contains(name)
    }
  }

  func has(_ mark: RemoteMark, of id: RemoteID) -> Bool {
    id.number.flatMap { items[$0] }.map { has(mark, $0) } ?? false
  }

  /// Newest first, as servers list them.
  func ids(with mark: RemoteMark) -> [Int64] {
    items.filter { has(mark, $0.value) }.keys.sorted(by: >)
  }

  var labels: [String] { Set(items.values.flatMap(\.labels)).sorted() }
}
