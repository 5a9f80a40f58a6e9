import Foundation

/// An article of a megabyte: its first page, and the pages behind it.
@MainActor
enum LongArticleBenchmarks {
  private static let programs = ["argyle", "newsboat", "w3m", "lynx", "less"]

  private static func makeHome() throws -> ReaderHome {
    let server = try FeedServer(["/long.xml": [Array(LongArticle.feed.utf8)]])
    let home = try ReaderHome("article", following: [server.url("/long.xml")])
    try home.reload()
    try LongArticle.page.write(
      toFile: home.folder + "/page.html", atomically: false, encoding: .utf8)
    return home
  }

  /// Opens the article; what passed from the key to its first lines.
  private static func open(_ program: Program) throws -> (TerminalProcess, Double) {
    let process = try TerminalProcess(program)
    let isOurs = program.name == "argyle"
    _ = try process.readUntil(isOurs ? LongArticle.title : "Long")
    while try process.watch(seconds: 0.3).bytes > 0 {}
    if !isOurs {
      try process.type("\r")
      _ = try process.readUntil(LongArticle.title)
      while try process.watch(seconds: 0.1).bytes > 0 {}
    }
    let start = try process.type("\r")
    let end = try process.readUntil(LongArticle.beginning)
    return (process, Double(end - start) / 1e9)
  }

  private static func quit(_ process: TerminalProcess) throws {
    // Each leaves an open article by the key that ends it; newsboat its list, too.
    for _ in 0..<(process.name == "newsboat" ? 2 : 1) {
      try process.type("q")
      _ = try process.readToRest()
    }
    try process.quit()
  }

  static func opening() async throws -> Table {
    let home = try makeHome()
    var contenders = [
      Contender(name: "argyle") {
        let (process, seconds) = try open(home.argyle())
        try quit(process)
        return seconds
      }
    ]
    if Peer.newsboat.isThere {
      contenders.append(
        Contender(name: "newsboat") {
          let (process, seconds) = try open(home.newsboat())
          try quit(process)
          return seconds
        })
    }
    for (peer, options) in [(Peer.w3m, []), (.lynx, ["-nolist"])] where peer.isThere {
      contenders.append(
        Contender(name: peer.rawValue) {
          try CommandRun(
            Program(
              name: peer.rawValue, path: peer.path,
              arguments: ["-dump"] + options + [home.folder + "/page.html"],
              environment: home.environment)
          ).seconds
        })
    }
    let comparison = Comparison(try await Rounds(7, contenders))
    var table = Table("", "argyle", "newsboat", "w3m -dump", "lynx -dump", "to newsboat", "aim")
    table.row(
      "first page", .seconds, comparison, of: Array(programs.prefix(4)), to: "newsboat",
      Aim(limit: 0.25))
    table.note(peers: [.newsboat, .w3m, .lynx])
    return table
  }

  static func paging() async throws -> Table {
    let home = try makeHome()
    var processes = [try open(home.argyle()).0]
    if Peer.newsboat.isThere { processes.append(try open(home.newsboat()).0) }
    let text = home.folder + "/page.txt"
    try LongArticle.text.write(toFile: text, atomically: false, encoding: .utf8)
    for (peer, arguments) in [(Peer.w3m, [home.folder + "/page.html"]), (.less, [text])]
    where peer.isThere {
      processes.append(
        try TerminalProcess(
          Program(
            name: peer.rawValue, path: peer.path, arguments: arguments,
            environment: home.environment)))
    }
    // What is laid out behind the first page is done by then.
    for process in processes { while try process.watch(seconds: 1).bytes > 0 {} }
    var times = processes.map { _ in [Double]() }
    for _ in 0..<60 {
      for (index, process) in processes.enumerated() {
        let start = try process.type(" ")
        times[index].append(Double(try process.readToRest().lastByteAt - start) / 1e9)
      }
    }
    var table = Table("", "argyle", "newsboat", "w3m", "less", "to less", "aim")
    let names = processes.map(\.name)
    for (name, fraction) in [("p50", 0.5), ("p95", 0.95)] {
      let values = ["argyle", "newsboat", "w3m", "less"].map { program in
        names.firstIndex(of: program).map { times[$0].quantile(fraction) } ?? .nan
      }
      let ratio = values[0] / values[3]
      let cells = [name] + values.map { Unit.seconds.text($0) } + [Unit.ratio.text(ratio)]
      if ratio.isFinite {
        table.row(cells, judging: ratio, .ratio, by: Aim(limit: 1.5))
      } else {
        table.row(cells + ["not compared"])
      }
    }
    table.note(peers: [.newsboat, .w3m, .less])
    return table
  }
}
