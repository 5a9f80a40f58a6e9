import Foundation
import GRDB
import PseudoTerminal
import Synchronization
import Testing

@testable import Articles

/// No mark is lost: two stores and another client on one account, with failures, lost answers and ends of
/// the process at every request, against what really happened.
///
/// `ARGYLE_SYNCS` sets how many random histories are run; 60 without it.
@Suite struct SyncOrderTests {
  private static let count =
    ProcessInfo.processInfo.environment["ARGYLE_SYNCS"].flatMap { UInt64($0) } ?? 60

  @Test func `no mark is lost, whatever happens when`() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for part in 0..<4 as Range<UInt64> {
        group.addTask {
          for seed in 0..<Self.count where seed % 4 == part {
            try await History(seed: seed).run()
          }
        }
      }
      try await group.waitForAll()
    }
  }

  /// A program on one machine.
  private final class Device: Sendable {
    let name: Int
    let store: ArticleStore
    let account: SyncAccount.ID

    init(_ name: Int) async throws {
      self.name = name
      store = try ArticleStore.inMemory()
      let account = try await store.insertAccount(
        .googleReader, address: "https://example.org", user: "ann", passwordCommand: nil,
        secrets: .init())
      self.account = try #require(account).id
    }

    func sync(_ server: Server, _ now: @escaping @Sendable () -> Date) async throws -> SyncReport {
      let account = try #require(await store.account(account))
      return try await AccountSync(account: account, server: server, store: store, now: now).run()
    }
  }

  /// What a user did on a device.
  private struct Action: Hashable {
    let device: Int
    let item: RemoteID
    let mark: RemoteMark
  }

  private struct State {
    var model = ServerModel()
    var generator: SeededGenerator
    /// For each thing that was set on a device: to what, and whether that has come to the server since.
    var actions: [Action: (value: Bool, hasArrived: Bool)] = [:]
    var isCalm = false
    var log: [String] = []
  }

  private struct Killed: Error {}

  private final class History: Sendable {
    let seed: UInt64
    let state: Mutex<State>
    let devices: [Device]

    init(seed: UInt64) async throws {
      self.seed = seed
      var state = State(generator: SeededGenerator(seed: seed))
      for feed in 0..<2 {
        let id = state.model.subscribe("https://example.org/\(feed)")
        for title in 0..<3 { state.model.publish("\(title)", in: id) }
      }
      self.state = Mutex(state)
      devices = [try await Device(0), try await Device(1)]
    }

    func random(_ count: Int) -> Int {
      state.withLock { Int.random(in: 0..<count, using: &$0.generator) }
    }

    let now: @Sendable () -> Date = { Date(timeIntervalSince1970: 1_790_000_000) }

    func run() async throws {
      for _ in 0..<12 {
        switch random(6) {
        case 0, 1: try await mark(devices[random(2)])
        case 2: elsewhere()
        case 3: try await undo(devices[random(2)])
        default: try await sync(devices[random(2)])
        }
      }
      state.withLock { $0.isCalm = true }
      for _ in 0..<2 { for device in devices { try await sync(device) } }
      try await check()
    }

    func sync(_ device: Device) async throws {
      let server = Server(history: self, device: device)
      let isCalm = state.withLock { state in
        state.log.append("sync \(device.name)")
        return state.isCalm
      }
      do {
        _ = try await device.sync(server, now)
      } catch  where !isCalm {
        state.withLock { $0.log.append("  failed: \(error)") }
      }
      try await checkOutbox(of: device)
    }

    /// What waits is what is shown.
    private func checkOutbox(of device: Device) async throws {
      let shown = try await marks(of: device)
      for row in try await device.store.outbox(of: device.account) {
        guard let (mark, isInverse) = row.mark.remote, let marks = shown[row.item] else { continue }
        try require(
          marks.contains(mark) == (row.value != isInverse), "what waits is not what is shown")
      }
    }

    func mark(_ device: Device) async throws {
      let ids = try await articles(of: device)
      guard !ids.isEmpty else { return }
      let (remote, id) = ids[random(ids.count)]
      let mark: ArticleMark = [.read, .starred, .tag("dev")][random(3)]
      let changes = try await device.store.mark([(mark, random(2) == 0)], of: [id])
      for change in changes { note(change, remote, device) }
    }

    func undo(_ device: Device) async throws {
      let ids = try await articles(of: device)
      guard !ids.isEmpty else { return }
      let (remote, id) = ids[random(ids.count)]
      let change = MarkChange(mark: .read, value: random(2) == 0, articles: [id])
      for change in try await device.store.takeBack([change]) where !change.articles.isEmpty {
        note(change, remote, device)
      }
    }

    private func note(_ change: MarkChange, _ item: RemoteID, _ device: Device) {
      guard let (mark, isInverse) = change.mark.remote else { return }
      let value = change.value != isInverse
      state.withLock { state in
        state.log.append("\(device.name) sets \(mark) of \(item.text.suffix(2)) to \(value)")
        state.actions[Action(device: device.name, item: item, mark: mark)] = (value, false)
      }
    }

    /// Another client of the account.
    func elsewhere() {
      state.withLock { state in
        let items = state.model.items.keys.sorted()
        guard let number = items.randomElement(using: &state.generator) else { return }
        let id = RemoteID(number: number)
        switch Int.random(in: 0..<8, using: &state.generator) {
        case 0: state.model.publish("new", in: "feed/1")
        case 1...3:
          state.model.set(.unread, Bool.random(using: &state.generator), of: id)
        case 4...5:
          state.model.set(.starred, Bool.random(using: &state.generator), of: id)
        default:
          state.model.set(.label("dev"), Bool.random(using: &state.generator), of: id)
        }
        state.log.append(
          "elsewhere: \(id.text.suffix(2)) \(state.model.items[number]?.words ?? "")")
      }
    }

    private func articles(of device: Device) async throws -> [(RemoteID, Article.ID)] {
      try await device.store.read { database in
        try database.articles().map { ($0.0, $0.1) }
      }
    }

    private func marks(of device: Device) async throws -> [RemoteID: Set<RemoteMark>] {
      try await device.store.read { database in
        Dictionary(uniqueKeysWithValues: try database.articles().map { ($0.0, $0.2) })
      }
    }

    private func check() async throws {
      for device in devices {
        try require(
          try await device.store.outbox(of: device.account).isEmpty, "something still waits")
        let shown = try await marks(of: device)
        let model = state.withLock(\.model)
        for (number, item) in model.items {
          let id = RemoteID(number: number)
          let marks = Set(
            [RemoteMark.unread, .starred, .label("dev")].filter { model.has($0, item) })
          // One that is read and without a mark need not have been fetched.
          guard let here = shown[id] else {
            try require(marks.isEmpty, "\(id.text.suffix(2)) is missing on \(device.name)")
            continue
          }
          try require(
            here == marks, "\(id.text.suffix(2)) on \(device.name) is \(here), not \(marks)")
        }
      }
      let lost = state.withLock { $0.actions.filter { !$0.value.hasArrived } }
      try require(lost.isEmpty, "lost: \(lost)")
    }

    func require(_ condition: Bool, _ what: String) throws {
      let log = state.withLock(\.log).joined(separator: "\n")
      try #require(condition, "seed \(seed): \(what)\n\(log)")
    }
  }

  /// The account's server as one device sees it, with something happening at every request.
  private struct Server: SyncServer {
    let history: History
    let device: Device
    let articlesPerRequest = 2
    // One after the other: else the order of what happens would not be that of the seed.
    let requestsAtOnce = 1
    let marksPerRequest = 2

    /// - Parameter act: what the server does; it may happen without an answer.
    private func request<Value>(_ act: (inout State) throws -> Value) async throws -> Value {
      let isCalm = history.state.withLock(\.isCalm)
      if isCalm { return try history.state.withLock { try act(&$0) } }
      try await disturb()
      if history.random(12) == 0 { throw SyncError.refused(status: 503, detail: "") }
      let value = try history.state.withLock { try act(&$0) }
      try await disturb()
      // The answer is lost, or the process ends before it is used.
      if history.random(12) == 0 { throw Killed() }
      return value
    }

    /// Somebody does something meanwhile.
    private func disturb() async throws {
      switch history.random(6) {
      case 0: try await history.mark(device)
      case 1: history.elsewhere()
      default: break
      }
    }

    func logIn() async throws {}

    func feeds() async throws -> [RemoteFeed] {
      try await request { state in
        state.model.feeds.map { RemoteFeed(id: $0.key, address: $0.value.address) }
      }
    }

    func subscribe(to address: String, title: String?, folder: String?) async throws -> String {
      throw SyncError.unsupported
    }
    func edit(_ feed: String, title: String?, folder: FolderMove?) async throws {}
    func unsubscribe(from feed: String) async throws {}

    func labels() async throws -> [String]? { try await request { _ in ["dev"] } }

    func newestArticles(of feed: String, limit: Int) async throws -> Set<RemoteID> {
      try await request { state in
        let ids = state.model.items.filter { $0.value.feed == feed }.keys.sorted(by: >)
        return Set(ids.prefix(limit).map { RemoteID(number: $0) })
      }
    }

    func articles(with mark: RemoteMark) async throws -> Set<RemoteID> {
      try await request { Set($0.model.ids(with: mark).map(RemoteID.init(number:))) }
    }

    func articles(_ ids: [RemoteID]) async throws -> [RemoteArticle] {
      try await request { state in
        ids.compactMap { id in
          guard let item = id.number.flatMap({ state.model.items[$0] }) else { return nil }
          return RemoteArticle(
            id: id, feed: item.feed,
            content: ParsedArticle(guid: id.whole, title: item.title, link: item.link))
        }
      }
    }

    func set(_ mark: RemoteMark, _ value: Bool, of ids: [RemoteID]) async throws {
      try await request { state in
        for id in ids {
          state.log.append(
            "  server: \(device.name) sets \(mark) of \(id.text.suffix(2)) to \(value)")
          state.model.set(mark, value, of: id)
          let action = Action(device: device.name, item: id, mark: mark)
          if state.actions[action]?.value == value { state.actions[action]?.hasArrived = true }
        }
      }
    }
  }
}

extension Database {
  /// The articles that have a server, with their numbers and the marks that a server would know.
  fileprivate func articles() throws -> [(RemoteID, Article.ID, Set<RemoteMark>)] {
    try Row.fetchAll(
      self,
      sql: "SELECT remoteID, id, isRead, isStarred, tags FROM article WHERE remoteID IS NOT NULL"
    ).map { row in
      var marks = Set(NameList.names(row[4]).map(RemoteMark.label))
      if !(row[2] as Bool) { marks.insert(.unread) }
      if row[3] { marks.insert(.starred) }
      return (RemoteID(stored: row[0]), row[1], marks)
    }
  }
}

extension ServerModel.Item {
  fileprivate var words: String {
    "read \(isRead), starred \(isStarred), names \(labels.sorted())"
  }
}
