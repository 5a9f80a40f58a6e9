import Articles
import Foundation
import HTTP
import Storage
import Synchronization

/// Where the time of a reload and of a start goes.
@MainActor
enum PhaseBenchmarks {
  /// What the parts of a reload took; those of several feeds are added up.
  private final class Phases: Sendable {
    private let seconds = Mutex<[String: Double]>([:])

    func add(_ phase: String, _ time: Duration) {
      seconds.withLock { $0[phase, default: 0] += time / .seconds(1) }
    }

    func seconds(of phase: String) -> Double { seconds.withLock { $0[phase] ?? 0 } }
  }

  private static let phases = [
    "opening the store", "fetching", "parsing", "preparing", "writing", "indexing",
  ]

  /// A reload in this process, which is told of every request, feed and transaction.
  static func reload() async throws -> Table {
    let sample = SampleFeeds(feeds: 20, articles: 50)
    let server = try FeedServer(sample.documents())
    let addresses = (0..<20).map { server.url(sample.path($0)) }
    let home = try ReaderHome("phases", following: addresses)
    defer { StoreReport.observe(nil) }
    var rounds: [(Phases, whole: Double)] = []
    for _ in 0..<8 {
      try home.forget()
      let phases = Phases()
      StoreReport.observe { report in
        switch report.work {
        case .opened: phases.add("opening the store", report.elapsed)
        case .wrote: phases.add("writing", report.elapsed)
        case .read: break
        }
      }
      var options = HTTPClient.Options()
      options.report = { phases.add("fetching", $0.elapsed) }
      let client = HTTPClient(options: options)
      let whole = try await seconds {
        let library = Library(
          store: try ArticleStore(directory: home.store), client: client,
          observer: { report in
            phases.add("parsing", report.work.parsing)
            phases.add("preparing", report.work.preparing)
          })
        guard try await library.reload().newArticles == 1_000 else {
          throw HarnessError.wrong("the reload has not brought every article")
        }
        StoreReport.observe(nil)
        let start = ContinuousClock.now
        try await library.index()
        phases.add("indexing", start.duration(to: .now))
      }
      rounds.append((phases, whole - phases.seconds(of: "indexing")))
    }
    // The first one warms up.
    rounds.removeFirst()
    let whole = rounds.map(\.whole).median
    var table = Table("", "time", "of the whole reload")
    table.row(["the whole reload", Unit.seconds.text(whole), "1"])
    for phase in phases {
      let seconds = rounds.map { $0.0.seconds(of: phase) }.median
      table.row([phase, Unit.seconds.text(seconds), (seconds / whole).formatted(decimals: 2)])
    }
    table.note(
      "added up over the feeds, of which several are at work at a time; fetching has the wait for "
        + "the server; indexing is not a part of the reload, the first search waits for it")
    return table
  }

  /// A start, by what programs that end earlier take.
  static func start() async throws -> Table {
    let sample = SampleFeeds(feeds: 20, articles: 50)
    let server = try FeedServer(sample.documents())
    let home = try ReaderHome(
      "start-phases", following: (0..<20).map { server.url(sample.path($0)) })
    try home.reload()
    func command(_ arguments: String...) -> Contender {
      Contender(name: arguments[0]) { try CommandRun(home.argyle(arguments)).seconds }
    }
    let rounds = try await Rounds(
      15,
      [
        Contender(name: "nothing") {
          let nothing = Program(
            name: "true", path: "/usr/bin/true", arguments: [], environment: home.environment)
          return try CommandRun(nothing).seconds
        },
        command("--version"), command("articles", "list", "--limit", "40"),
        Contender(name: "reader") {
          try ReaderOpening.timeToShow(SampleFeeds.articleName(0), home.argyle())
        },
      ])
    var table = Table("", "time", "more than the one above")
    let names = [
      "a process that does nothing", "the program and its libraries, options",
      "the store opened, 40 articles read and printed", "the reader: 40 articles on the screen",
    ]
    for (index, name) in names.enumerated() {
      let more =
        index == 0
        ? ""
        : Unit.seconds.text(
          zip(rounds.values[index], rounds.values[index - 1]).map { $0 - $1 }.median)
      table.row([name, Unit.seconds.text(rounds.median(index)), more])
    }
    return table
  }
}
