import Loading
import LoadingTesting
import PseudoTerminal
import TerminalUI
import Testing

@testable import Argyle

@MainActor
@Suite struct GalleryTests {
  private let runtime = ManualRuntime()

  private func model(cells: Int, seed: UInt64 = 1) -> GalleryModel {
    GalleryModel(
      cells: cells,
      SceneRuntime(clock: runtime.clock.any, scheduler: runtime.scheduler, seed: seed))
  }

  private func load(_ model: GalleryModel, _ cells: Range<Int>) {
    for cell in cells { model.resource(of: cell).load() }
    runtime.run()
  }

  @Test func `every cell is in one state, and the counts say in which`() {
    let model = model(cells: 100)
    #expect(model.counts == .init(idle: 100))
    load(model, 0..<20)
    #expect(model.counts == .init(idle: 80, loading: 20))
    runtime.advance(by: .seconds(3))
    let counts = model.counts
    #expect(counts.idle == 80 && counts.loading == 0 && counts.failed + counts.loaded == 20)
  }

  @Test func `a load takes from 0,3 to 3 seconds, and one in six fails`() {
    var failures = 0
    for cell in 0..<600 {
      let resource = runtime.resource(Swatch.loader(cell: cell, seed: 7))
      resource.load()
      runtime.advance(by: .milliseconds(299))
      #expect(resource.isLoading)
      runtime.advance(by: .milliseconds(2701))
      #expect(!resource.isLoading)
      failures += resource.state.isFailed ? 1 : 0
    }
    #expect(80...120 ~= failures)
  }

  @Test func `a seed decides what comes of a cell, whatever is loaded beside it`() {
    func states(of cells: [Int], seed: UInt64) -> [String] {
      let model = model(cells: 100, seed: seed)
      for cell in cells { model.resource(of: cell).load() }
      runtime.run()
      runtime.advance(by: .seconds(20))
      return [3, 50, 99].map { "\(model.resource(of: $0).state)" }
    }
    #expect(states(of: [3, 50, 99], seed: 5) == states(of: Array(0..<100), seed: 5))
    #expect(states(of: [3, 50, 99], seed: 5) != states(of: [3, 50, 99], seed: 6))
  }

  @Test func `all failed cells are tried again, and no other`() {
    let model = model(cells: 60)
    load(model, 0..<60)
    runtime.advance(by: .seconds(20))
    let failed = model.counts.failed
    #expect(failed > 0)
    model.retryFailed()
    #expect(model.counts == .init(loading: failed, loaded: 60 - failed))
  }

  @Test func `a cell that could not be loaded again is counted as it looks, and tried again`()
    throws
  {
    let model = model(cells: 9)
    load(model, 0..<9)
    runtime.advance(by: .seconds(3))
    let before = model.counts
    let cell = try #require((0..<9).first { model.resource(of: $0).state.isLoaded })
    model.selected = cell
    model.reloadSelected()
    #expect(model.counts == .init(loading: 1, failed: before.failed, loaded: before.loaded - 1))
    // One load in six fails.
    for _ in 0..<100 where !model.selectedState.isFailed {
      runtime.advance(by: .seconds(3))
      if !model.selectedState.isFailed { model.reloadSelected() }
    }
    let failed = GalleryModel.Counts(failed: before.failed + 1, loaded: before.loaded - 1)
    #expect(model.counts == failed)
    #expect(model.selectedColour != nil)
    model.retryFailed()
    #expect(model.selectedState.isLoading)
  }

  @Test func `where there is little room the counts keep their words`() throws {
    for (columns, header) in [
      (20, "1 failed 3 loaded"), (30, "1 failed 3 loaded   24 at once"),
      (38, "1 failed 4 loaded           24 at once"),
      (40, "4 loading 1 failed 4 loaded   24 at once"),
    ] {
      let lines = try ScreenshotCommand.parse([
        "gallery", "--size", "\(columns)x12", "--keys", "@0", "--at", "2.1",
      ]).picture().split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines[1] == header)
    }
  }

  @Test func `another limit keeps what is loaded, and lets the waiting cells load`() {
    let model = model(cells: 60)
    load(model, 0..<60)
    #expect(model.counts == .init(waiting: 36, loading: 24))
    runtime.advance(by: .seconds(1))
    let loaded = model.counts.loaded
    #expect(loaded > 0)
    model.changeLimit(by: 1)
    runtime.run()
    #expect(model.limitWords == "48 at once")
    #expect(model.counts.loaded == loaded)
    #expect(model.counts.loading == 48)
    model.changeLimit(by: -1)
    #expect(model.counts.loaded == loaded)
  }

  @Test(arguments: [(40, 12), (60, 15), (80, 24), (120, 30)])
  func `the header says how many load at once, and what + and - have changed`(
    columns: Int, rows: Int
  ) throws {
    func header(_ keys: String) throws -> String {
      try ScreenshotCommand.parse([
        "gallery", "--size", "\(columns)x\(rows)", "--keys", keys, "--at", "0.2",
      ]).picture().split(separator: "\n", omittingEmptySubsequences: false).map(String.init)[1]
    }
    #expect(try header("@0").contains("24 at once"))
    #expect(try header("-").contains("16 at once"))
  }

  @Test func `a cell has the same number everywhere`() throws {
    let text = try ScreenshotCommand.parse([
      "gallery", "--size", "80x24", "--keys", "f12 @1", "--at", "1",
    ]).picture()
    #expect(text.contains("cell 1 "))
    #expect(!text.contains("cell 0"))
  }

  @Test func `the selected cell is retried and cancelled by itself`() {
    let model = model(cells: 9)
    load(model, 0..<9)
    model.selected = 4
    model.cancel()
    #expect(model.counts == .init(idle: 1, loading: 8))
    model.reloadSelected()
    #expect(model.counts == .init(loading: 9))
  }

  @Test func `a bar of counts is as long as its room, and has a part for each count`() {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<2_000 {
      let counts = (0..<4).map { _ in Int.random(in: 0...9, using: &random) * 11 }
      let length = Int.random(in: 0...60, using: &random)
      let shares = counts.shares(of: length)
      #expect(shares.reduce(0, +) == (counts.allSatisfy { $0 == 0 } ? 0 : length))
      #expect(zip(counts, shares).allSatisfy { $0 > 0 || $1 == 0 })
      if length >= 4 { #expect(zip(counts, shares).allSatisfy { $0 == 0 || $1 > 0 }) }
    }
    #expect([50, 25, 25, 0].shares(of: 8) == [4, 2, 2, 0])
    #expect([1, 0, 0, 999].shares(of: 10) == [1, 0, 0, 9])
  }

  @Test func `a cell is filled with its colour, and framed where it is selected`() throws {
    let scene = try #require(Scene.all.first { $0.name == "gallery" })
    let still = Still(
      scene, size: Size(width: 100, height: 12),
      environment: EnvironmentValues(DisplaySettings(theme: .dark)))
    still.run(to: .seconds(4))
    let (first, third) = (Swatch(turn: 1.0 / 997), Swatch(turn: 2.0 / 60 + 1.0 / 997))
    for (x, y) in [(0, 2), (5, 3), (32, 4)] {
      #expect(still.frame.cells[x, y].style.background == first.color)
    }
    #expect(still.frame.cells[0, 2].style.foreground == first.ink)
    for (x, y) in [(67, 2), (70, 3), (97, 4)] {
      #expect(still.frame.cells[x, y].style.background == third.color)
    }
    #expect(still.frame.cells[67, 2].style.foreground == third.color)
  }

  @Test func `a colour has a name of six digits and an ink that can be read on it`() {
    for step in 0..<100 {
      let swatch = Swatch(turn: Double(step) / 100)
      #expect(swatch.name.count == 7)
      #expect(swatch.color != swatch.ink)
    }
    #expect(Swatch(turn: 0.25) == Swatch(turn: 1.25))
  }
}
