import Synchronization
import TestServer

/// Feeds with new articles in each answer, and a count of requests.
final class GrowingFeeds: Sendable {
  private struct State {
    var killing: Killing?
    var requests = 0
    /// For each feed, the number after its newest article.
    var ends: [Int]
  }

  /// How many articles of an answer are new.
  static let growth = 2
  /// How many articles a document has at most, so that its length stays constant.
  private static let documentLength = 10

  let addresses: [String]
  private let state: Mutex<State>

  init(_ count: Int, on server: TestServer) {
    addresses = (0..<count).map { server.url("/\($0)") }
    state = Mutex(State(ends: [Int](repeating: 0, count: count)))
    for feed in 0..<count {
      server.answer("/\(feed)") { [weak self] _ in self?.answer(feed) ?? .empty }
    }
  }

  /// Begins to count requests, and to report them.
  func begin(_ killing: Killing?) {
    state.withLock { state in
      state.killing = killing
      state.requests = 0
    }
  }

  /// The number of requests since then.
  var requests: Int { state.withLock { $0.requests } }

  /// Returns the articles in a feed's latest answer.
  func numbers(of feed: Int) -> Range<Int> { Self.numbers(to: state.withLock { $0.ends[feed] }) }

  private static func numbers(to end: Int) -> Range<Int> { max(0, end - documentLength)..<end }

  private func answer(_ feed: Int) -> Answer {
    let (end, killing, requests) = state.withLock { state in
      state.ends[feed] += Self.growth
      state.requests += 1
      return (state.ends[feed], state.killing, state.requests)
    }
    killing?.happened(.request(requests))
    let filler = String(repeating: "&lt;p&gt;Words of feed \(feed) &lt;/p&gt;", count: 200)
    let items = Self.numbers(to: end).reversed().map { index in
      "<item><guid>\(index)</guid><title>Article \(index)</title>"
        + "<description>\(filler)</description></item>"
    }
    return .whole("<rss><channel><title>Feed \(feed)</title>\(items.joined())</channel></rss>")
  }
}
