import Foundation
import Loading
import Storage
import Synchronization

/// A drawer in memory with scripted delays and failures, for demonstrations and tests.
///
/// ```swift
/// let api = ScriptedSockAPI(socks, clock: clock)
/// api.delay = .milliseconds(300)
/// api.script(.update, .fails(Offline(), after: .seconds(1)), .works())
/// ```
///
/// A change is made when its delay has passed, unless it was cancelled before.
public final class ScriptedSockAPI: SockAPI {
  /// A function of the API.
  public enum Function: CaseIterable, Sendable {
    case count, socks, place, sock, update, add, remove, pair, unpair, partners
  }

  /// The result of one call.
  public struct Answer: Sendable {
    let delay: Duration
    let error: (any Error)?

    /// Succeeds.
    public static func works(after delay: Duration = .zero) -> Answer {
      Answer(delay: delay, error: nil)
    }

    /// Changes nothing and throws.
    public static func fails(_ error: any Error, after delay: Duration = .zero) -> Answer {
      Answer(delay: delay, error: error)
    }
  }

  private struct State {
    var socks: [Sock]
    var delay = Duration.zero
    var interference: (@Sendable () async throws -> Void)?
    var script: [Function: [Answer]] = [:]
    var calls: [Function: Int] = [:]
    /// The keys of the applied changes.
    var applied: Set<String> = []
  }

  private let state: Mutex<State>
  private let hub = ChangeHub<Void>()
  private let clock: AnyClock
  private let now: @Sendable () -> Date

  /// - Parameters:
  ///   - socks: the contents of the drawer, in the order in which they were added.
  ///   - clock: the clock for delays.
  ///   - now: the current date.
  public init(
    _ socks: [Sock] = [], clock: AnyClock = .continuous,
    now: @escaping @Sendable () -> Date = { Date(timeIntervalSince1970: 0) }
  ) {
    state = Mutex(State(socks: socks))
    self.clock = clock
    self.now = now
  }

  // MARK: On command

  /// The delay of calls without a script.
  public var delay: Duration {
    get { state.withLock { $0.delay } }
    set { state.withLock { $0.delay = newValue } }
  }

  /// Runs before each call, which fails if it throws: for failures in a demonstration.
  public var interference: (@Sendable () async throws -> Void)? {
    get { state.withLock { $0.interference } }
    set { state.withLock { $0.interference = newValue } }
  }

  /// Scripts the results of the next calls of a function, after those scripted before.
  public func script(_ function: Function, _ answers: Answer...) {
    state.withLock { $0.script[function, default: []] += answers }
  }

  /// Returns how often a function was called.
  public func callCount(_ function: Function) -> Int {
    state.withLock { $0.calls[function] ?? 0 }
  }

  /// The contents of the drawer, in the order in which they were added.
  public var socks: [Sock] { state.withLock { $0.socks } }

  /// Changes the drawer immediately, as another program would.
  public func changeElsewhere(_ change: (inout [Sock]) -> Void) {
    state.withLock { change(&$0.socks) }
    hub.notify(())
  }

  // MARK: The API

  public func count(_ filter: SockFilter) async throws -> Int {
    try await call(.count) { $0.count { filter.includes($0) } }
  }

  public func socks(_ range: Range<Int>, _ query: SockQuery) async throws -> [Sock] {
    try await call(.socks) { socks in
      let list = query.order.sorted(socks.filter { query.filter.includes($0) })
      return Array(list[range.clamped(to: 0..<list.count)])
    }
  }

  public func place(of id: Sock.ID, in query: SockQuery) async throws -> Int? {
    try await call(.place) { socks in
      query.order.sorted(socks.filter { query.filter.includes($0) }).firstIndex { $0.id == id }
    }
  }

  public func sock(_ id: Sock.ID) async throws -> Sock {
    try await call(.sock) { socks in socks[try Self.index(of: id, in: socks)] }
  }

  public func apply(_ change: SockChange, key: String?) async throws {
    if let key { guard !state.withLock({ $0.applied.contains(key) }) else { return } }
    let date = now()
    try change.check()
    try await call(change.function) { try Self.apply(change, to: &$0, at: date) }
    if let key { state.withLock { _ = $0.applied.insert(key) } }
    hub.notify(())
  }

  public func partners(of id: Sock.ID, limit: Int) async throws -> [Sock] {
    try await call(.partners) { socks in
      let sock = socks[try Self.index(of: id, in: socks)]
      let partners = socks.filter {
        $0.pattern == sock.pattern && $0.colour == sock.colour && $0.pair == nil && $0.id != id
      }
      return Array(SockOrder(by: .name).sorted(partners).prefix(limit))
    }
  }

  public func changes() -> AsyncStream<Void> { hub.changes() }

  // MARK: Inside

  private func call<Value: Sendable>(
    _ function: Function, _ body: (inout [Sock]) throws -> Value
  ) async throws -> Value {
    try await interference?()
    let answer = state.withLock { state in
      state.calls[function, default: 0] += 1
      guard state.script[function]?.isEmpty == false,
        let next = state.script[function]?.removeFirst()
      else { return Answer.works(after: state.delay) }
      return next
    }
    if answer.delay > .zero {
      try await clock.sleep(until: clock.now.advanced(by: answer.delay))
    }
    if let error = answer.error { throw error }
    return try state.withLock { state in
      var socks = state.socks
      let value = try body(&socks)
      state.socks = socks
      return value
    }
  }

  private static func apply(
    _ change: SockChange, to socks: inout [Sock], at date: Date
  ) throws {
    switch change {
    case .update(let id, let edits, let from):
      let index = try index(of: id, in: socks)
      let before = socks[index]
      try before.check(edits, from: from)
      for edit in edits { socks[index].apply(edit) }
      if socks[index] != before { socks[index].changed = date.wholeSeconds }
    case .add(let draft):
      let sock = draft.sock(at: date)
      if socks.contains(where: { $0.id == sock.id }) { throw SockError.alreadyThere(sock.id) }
      socks.append(sock)
    case .remove(let id):
      let index = try index(of: id, in: socks)
      separate(id, in: &socks, at: date)
      socks.remove(at: index)
    case .pair(let first, let second):
      let (one, two) = (try index(of: first, in: socks), try index(of: second, in: socks))
      guard socks[one].pair != second else { return }
      for id in [first, second] { separate(id, in: &socks, at: date) }
      for (index, other) in [(one, second), (two, first)] {
        socks[index].pair = other
        socks[index].changed = date.wholeSeconds
      }
    case .unpair(let id):
      _ = try index(of: id, in: socks)
      separate(id, in: &socks, at: date)
    }
  }

  private static func index(of id: Sock.ID, in socks: [Sock]) throws -> Int {
    guard let index = socks.firstIndex(where: { $0.id == id }) else {
      throw SockError.noSuchSock(id)
    }
    return index
  }

  private static func separate(_ id: Sock.ID, in socks: inout [Sock], at date: Date) {
    for index in socks.indices
    where socks[index].pair == id || (socks[index].id == id && socks[index].pair != nil) {
      socks[index].pair = nil
      socks[index].changed = date.wholeSeconds
    }
  }
}

extension SockChange {
  fileprivate var function: ScriptedSockAPI.Function {
    switch self {
    case .update: .update
    case .add: .add
    case .remove: .remove
    case .pair: .pair
    case .unpair: .unpair
    }
  }
}

/// Applies queries to socks in memory as SQL does: text is compared by its bytes.
extension SockFilter {
  func includes(_ sock: Sock) -> Bool {
    if let isPaired, isPaired != (sock.pair != nil) { return false }
    return text.isEmpty
      || sock.searchText.utf8.firstRange(of: SearchText.folded(text).utf8) != nil
  }
}

extension SockOrder {
  /// Sorts `socks`, which are in the order in which they were added.
  func sorted(_ socks: [Sock]) -> [Sock] {
    let ascending = socks.enumerated().sorted { left, right in
      if precedes(left.element, right.element) { return true }
      if precedes(right.element, left.element) { return false }
      return left.offset < right.offset
    }.map(\.element)
    return isDescending ? ascending.reversed() : ascending
  }

  private func precedes(_ left: Sock, _ right: Sock) -> Bool {
    switch key {
    case .name: left.sortName.utf8.lexicographicallyPrecedes(right.sortName.utf8)
    case .sogginess: left.sogginess < right.sogginess
    case .pattern: left.pattern.utf8.lexicographicallyPrecedes(right.pattern.utf8)
    case .colour: left.colour.utf8.lexicographicallyPrecedes(right.colour.utf8)
    case .created: left.created < right.created
    case .changed: left.changed < right.changed
    }
  }
}
