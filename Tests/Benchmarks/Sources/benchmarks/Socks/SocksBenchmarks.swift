import Foundation
import Loading
import Socks
import Synchronization

/// The drawer on a real disk.
@MainActor
enum SocksBenchmarks {
  static let all = [
    Benchmark(name: "socks/drawer", title: "a drawer of 100,000 beside one of 100", run: drawer),
    Benchmark(name: "socks/slider", title: "a slider held down for a second", run: slider),
  ]

  // MARK: Large and small

  private static func drawer() async throws -> Table {
    let folder = try Programs.get().folder
    let small = try filled(100, in: folder + "/socks-100")
    let large = try filled(100_000, in: folder + "/socks-100000")
    var table = Table("", "100", "100,000", "ratio", "aim")
    for step in DrawerStep.allCases {
      let rounds = try await Rounds(
        15,
        [small, large].map { directory in
          Contender(name: "") { try await step.measure(directory) }
        })
      let ratio = rounds.ratio(1, to: 0)
      let cells = [
        step.rawValue, Unit.seconds.text(rounds.median(0)), Unit.seconds.text(rounds.median(1)),
        Unit.ratio.text(ratio),
      ]
      if step == .open {
        table.row(cells, judging: ratio, .ratio, by: Aim(limit: 1.5))
      } else {
        table.row(cells + [""])
      }
    }
    let memory = try [small, large].map { try peakMemory(listing: $0) }
    table.row([
      "argyle socks --filter, memory", Unit.bytes.text(memory[0]), Unit.bytes.text(memory[1]),
      (memory[1] / memory[0]).formatted(decimals: 2), "",
    ])
    let floor = try await Rounds(15, [Contender(name: "") { try writeAndSync(folder + "/floor") }])
    table.note(
      "a change is on the disk when it is told; a bare write of 16 kB with fsync takes "
        + Unit.seconds.text(floor.median(0)))
    return table
  }

  static func filled(_ count: Int, in directory: String) throws -> String {
    let words = ["argyle", "sailor", "wool", "office", "rainbow", "tiger", "golf", "plum", "hound"]
    let date = Date(timeIntervalSince1970: 1_795_262_400)
    let socks = (0..<count).map { number in
      // Scattered, as in a drawer.
      let place = number &* 7_919 % count
      return Sock(
        id: UUID(), name: "\(words[place % 9]) \(words[place / 9 % 9]) \(place)",
        picture: .bundled("argyle-red"), sogginess: place % 101, pattern: words[place % 7],
        colour: words[place % 5], notes: "darned \(number) times", created: date, changed: date)
    }
    _ = try EmbeddedSockStore(directory: directory, bundled: socks)
    return directory
  }

  /// The most memory that the program needs to list some socks of a drawer, in bytes.
  private static func peakMemory(listing directory: String) throws -> Double {
    let arguments = [
      Programs.argylePath, "socks", "list", "--filter", "tiger 11", "--data-dir", directory,
    ]
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    let strings = arguments.map { strdup($0) }
    defer { strings.forEach { free($0) } }
    var (process, status, usage) = (pid_t(), Int32(), rusage())
    // Waited for by its number: what the system tells of all children is of the largest of them.
    guard posix_spawn(&process, arguments[0], &actions, nil, strings + [nil], environ) == 0,
      wait4(process, &status, 0, &usage) == process, status == 0
    else { throw HarnessError.wrong("argyle socks list has failed") }
    return Double(usage.ru_maxrss) * 1024
  }

  private static func writeAndSync(_ path: String) throws -> Double {
    let descriptor = open(path, O_WRONLY | O_CREAT, 0o600)
    guard descriptor >= 0 else { throw HarnessError.wrong("\(path) cannot be written") }
    defer { close(descriptor) }
    let bytes = [UInt8](repeating: 1, count: 16_384)
    let start = ContinuousClock.now
    for _ in 0..<10 {
      write(descriptor, bytes, bytes.count)
      fsync(descriptor)
    }
    return (ContinuousClock.now - start) / .seconds(10)
  }

  // MARK: A slider

  private static func slider() async throws -> Table {
    let folder = try Programs.get().folder
    let directory = try filled(1_000, in: folder + "/socks-slider")
    let api = CountingAPI(try EmbeddedSockStore(directory: directory))
    let drawer = SockDrawer(api)
    let id = try await api.socks(0..<1, SockQuery())[0].id
    _ = await drawer.sock(id).refresh()
    var latencies: [Double] = []
    for value in 1...100 {
      drawer.setSogginess(of: id, to: value % 101)
      latencies.append(await seconds { await drawer.finish() })
    }
    let before = api.updates
    var (steps, value) = (0, 0)
    let end = ContinuousClock.now + .seconds(1)
    // In real time, as keys come: how many writes the disk is asked for depends on that.
    while ContinuousClock.now < end {
      steps += 1
      value = steps % 101
      drawer.setSogginess(of: id, to: value)
      try await Task.sleep(for: .milliseconds(4))
    }
    await drawer.finish()
    let kept = try await api.sock(id).sogginess
    var table = Table("", "")
    table.row(["values", "\(steps)"])
    let commits = api.updates - before
    table.row(["commits in that second", "\(commits)"])
    _ = table.judge("commits in a second", Double(commits), .count, by: Aim(limit: 6))
    table.row(["the last value was kept", kept == value ? "yes" : "no"])
    table.row(["from a key to kept, median", Unit.seconds.text(latencies.median)])
    table.row(["from a key to kept, 99 of 100", Unit.seconds.text(latencies.quantile(0.99))])
    return table
  }
}

/// What somebody does with a drawer.
private enum DrawerStep: String, CaseIterable {
  case open = "opened, with its first page"
  case end = "jumped to the end"
  case middle = "jumped to the middle"
  case sort = "sorted by sogginess"
  case filter = "filtered by a text, counted"
  case filterLetters = "filtered by two letters, counted"
  case partners = "partners of one"
  case change = "changed, and kept"

  /// In seconds.
  @MainActor
  func measure(_ directory: String) async throws -> Double {
    if self == .open {
      return try await seconds {
        let store = try EmbeddedSockStore(directory: directory)
        _ = try await (store.count(.all), store.socks(0..<100, SockQuery()))
      }
    }
    let store = try EmbeddedSockStore(directory: directory)
    let count = try await store.count(.all)
    let one = try await store.socks(0..<1, SockQuery())[0]
    let next = (one.sogginess + 1) % 101
    return try await seconds {
      switch self {
      case .open: break
      case .end: _ = try await store.socks(count - 100..<count, SockQuery())
      case .middle: _ = try await store.socks(count / 2 - 50..<count / 2 + 50, SockQuery())
      case .sort:
        let order = SockOrder(by: .sogginess, descending: true)
        _ = try await store.socks(0..<100, SockQuery(order: order))
      case .filter, .filterLetters:
        let filter = SockFilter(text: self == .filter ? "tiger 11" : "q7")
        _ = try await (store.count(filter), store.socks(0..<100, SockQuery(filter: filter)))
      case .partners: _ = try await store.partners(of: one.id, limit: 20)
      case .change: try await store.update(one.id, [.sogginess(next)])
      }
    }
  }
}

/// Counts the commits on their way.
private final class CountingAPI: SockAPI {
  private let base: EmbeddedSockStore
  private let count = Mutex(0)

  init(_ base: EmbeddedSockStore) { self.base = base }

  var updates: Int { count.withLock { $0 } }

  func count(_ filter: SockFilter) async throws -> Int { try await base.count(filter) }
  func socks(_ range: Range<Int>, _ query: SockQuery) async throws -> [Sock] {
    try await base.socks(range, query)
  }
  func place(of id: Sock.ID, in query: SockQuery) async throws -> Int? {
    try await base.place(of: id, in: query)
  }
  func sock(_ id: Sock.ID) async throws -> Sock { try await base.sock(id) }
  func apply(_ change: SockChange, key: String?) async throws {
    count.withLock { $0 += 1 }
    try await base.apply(change, key: key)
  }
  func partners(of id: Sock.ID, limit: Int) async throws -> [Sock] {
    try await base.partners(of: id, limit: limit)
  }
  func changes() -> AsyncStream<Void> { base.changes() }
}
