import Loading
import LoadingTesting
import Testing

@testable import Argyle

@MainActor
@Suite struct InspectorTests {
  private func lines(_ arguments: String...) throws -> [String] {
    try ScreenshotCommand.parse(arguments).picture().split(
      separator: "\n", omittingEmptySubsequences: false
    ).map { line in String(line.reversed().drop { $0 == " " }.reversed()) }
  }

  @Test func `F12 shows what is loaded, and what happened`() throws {
    #expect(
      try lines("retry", "--size", "60x18", "--keys", "@0.5 f12", "--at", "2").prefix(18) == [
        "╭─ Loading ────────────────────────────────────────────────╮",
        "│ 1 resource                                               │",
        "│ to be retried      letter                             #1 │",
        "│ What happened to any of them, the newest first:          │",
        "│  0.700 s letter #1: attempt failed after 0.700 s: The p… │",
        "│  0.000 s letter #1: started because it is shown          │",
        "│                                                          │",
        "│                                                          │",
        "│                                                          │",
        "│                                                          │",
        "│                                                          │",
        "│                                                          │",
        "│                                                          │",
        "│                                                          │",
        "│                                                          │",
        "│                                                          │",
        "╰──────────────────────────────────────────────────────────╯",
        "Enter events  Tab next field  r load all again  Esc close",
      ])
  }

  @Test func `on a small screen Enter shows the events of a resource, and Esc goes back`() throws {
    let keys = ["retry", "--size", "40x7", "--at", "2", "--keys"]
    func shown(_ more: String) throws -> [String] {
      let arguments = keys + ["@0.5 f12 " + more]
      return try ScreenshotCommand.parse(arguments).picture().split(separator: "\n").map {
        String($0.reversed().drop { $0 == " " }.reversed())
      }
    }
    #expect(
      try shown("") == [
        "╭─ Loading ────────────────────────────╮",
        "│ 1 resource                           │",
        "│ to be retried: letter                │",
        "│                                      │",
        "│                                      │",
        "╰──────────────────────────────────────╯",
        "r load all again  Esc close",
      ])
    #expect(
      try shown("j enter") == [
        "╭─ Loading ────────────────────────────╮",
        "│  0.700 s #1: attempt failed after 0… │",
        "│  0.000 s #1: started because it is…  │",
        "│                                      │",
        "│                                      │",
        "╰──────────────────────────────────────╯",
        "Esc resources  f show as failed  q close",
      ])
    #expect(try shown("j enter esc") == shown("j"))
    #expect(try shown("j enter esc esc")[0].contains("Retry & backoff"))
  }

  @Test func `F12 closes it, and the first row loads everything on the screen again`() throws {
    let keys = ["retry", "--size", "60x18", "--at", "2", "--keys", "@0.5 f12 "]
    func shown(_ more: String) throws -> String {
      try ScreenshotCommand.parse(keys.dropLast() + [keys[6] + more]).picture()
    }
    #expect(try shown("").contains("Loading"))
    #expect(try !shown("f12").contains("Loading"))
    #expect(try shown("r").contains("letter #1: also wanted because it was asked for"))
  }

  @Test func `a resource can be made to show each state, and be loaded again`() throws {
    func status(_ keys: String) throws -> String {
      let arguments = ["retry", "--size", "60x18", "--at", "2", "--keys", "@0.5 f12 j " + keys]
      let lines = try ScreenshotCommand.parse(arguments).picture().split(separator: "\n")
      return lines[2].dropFirst(2).prefix { $0 != " " }.description
    }
    #expect(try status("") == "to")  // be retried
    #expect(try status("f") == "failed")
    #expect(try status("f f") == "idle")
    #expect(try status("f f f") == "loading")
    #expect(try status("f f r") == "to")
  }

  @Test(arguments: Scene.all.map(\.name))
  func `F12 works on every screen, and Esc closes it`(scene: String) throws {
    for arguments in [[], ["--plain"], ["--size", "20x5"]] {
      let base = [scene] + arguments
      let open = try ScreenshotCommand.parse(base + ["--keys", "@0.1 f12"]).picture()
      #expect(open.contains("Loading"))
      #expect(open.contains("resource"))
      let closed = try ScreenshotCommand.parse(base + ["--keys", "@0.1 f12 esc"]).picture()
      #expect(closed == (try ScreenshotCommand.parse(base + ["--keys", "@0.1"]).picture()))
    }
  }

  @Test(arguments: [("socks", "@3 a"), ("catalog", "f9"), ("catalog", "?"), ("articles", "@3 a")])
  func `F12 works in front of every sheet, and leads back`(scene: String, keys: String) throws {
    func shown(_ keys: String) throws -> String {
      try ScreenshotCommand.parse([scene, "--size", "100x30", "--at", "4", "--keys", keys])
        .picture()
    }
    #expect(try shown("\(keys) f12").contains("resources"))
    #expect(try !shown(keys).contains("resources"))
    #expect(try !shown("\(keys) f12 f12").contains("resources"))
    // The list of keys is closed by it, since it would list those of the inspector.
    if keys != "?" { #expect(try shown("\(keys) f12 f12") == shown(keys)) }
  }

  @Test func `the picture and the partners of a sock have names, not types`() throws {
    let names = try lines("sock", "--size", "100x30", "--keys", "@0.5 f12", "--at", "2")
    #expect(names.contains { $0.contains("picture of a sock") })
    let partners = try lines(
      "socks", "--size", "100x30", "--keys", "@3 k k f @3.5 f12", "--at", "4")
    #expect(partners.contains { $0.contains("partners of a sock") })
    #expect(!(names + partners).contains { $0.contains("CellBuffer") || $0.contains("Array<") })
  }

  // MARK: Words

  private let runtime = ManualRuntime()
  private let loads = ManualLoads<Int>()

  private func words(_ observer: LoadingObserver) -> String? {
    observer.resources.first.map {
      "\($0.status)|\($0.changes)|\($0.age(at: runtime.clock.now) ?? "")"
    }
  }

  @Test func `the state, the changes and the age of a resource are said in a few words`() {
    let observer = LoadingObserver()
    let gate = LoadGate("offline")
    let loader = loads.loader.retrying(limit: 2, backoff: Backoff { _ in .seconds(5) })
    let resource = Resource(
      loader.gated(by: gate), name: "feeds", clock: runtime.clock.any,
      scheduler: runtime.scheduler.observed(by: observer))
    #expect(words(observer) == "idle||")
    gate.close()
    resource.appear()
    runtime.run()
    #expect(words(observer) == "paused: offline||")
    gate.open()
    runtime.run()
    #expect(words(observer) == "loading||")
    loads[0].context.report(fraction: 0.5)
    runtime.run()
    #expect(words(observer) == "loading 50 %||")
    loads[0].fail(DescribedError("Broken.", advice: "Mend it."))
    runtime.run()
    #expect(words(observer) == "to be retried||")
    runtime.advance(by: .seconds(5))
    loads[1].succeed(1)
    runtime.run()
    let commits = ManualCalls<Int, Void>()
    resource.mutate(apply: { $0 += 1 }, commit: { try await commits.call($0) })
    runtime.advance(by: .seconds(70))
    #expect(words(observer) == "loaded|1 unsaved|1 min")
    commits[0].fail(DescribedError("Broken.", advice: "Mend it."))
    runtime.run()
    #expect(words(observer) == "loaded|1 failed|1 min")
    resource.load()
    runtime.advance(by: .seconds(3))
    let sentence = observer.resources.first?.description(at: runtime.clock.now)
    #expect(
      sentence
        == "feeds: reloading; value of 1 min ago; load #2 for 3 s because it was asked for; "
        + "attempt 1 of 2; 1 failed; on the screen")
    resource.cancel()
    loads.end()
    runtime.run()
  }
}
