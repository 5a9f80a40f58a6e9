import Loading
import LoadingTesting
import Testing

@testable import Argyle

@MainActor
@Suite struct GalleryTests {
  private let runtime = ManualRuntime()

  private func model(cells: Int, seed: UInt64 = 1) -> GalleryModel {
    GalleryModel(
      cells: cells, seed: seed, clock: runtime.clock.any, scheduler: runtime.scheduler)
  }

  private func load(_ model: GalleryModel, _ cells: Range<Int>) {
    for cell in cells { model.resource(of: cell).load() }
    runtime.run()
  }

  @Test func `every cell is in one state, and the counts say in which`() {
    let model = model(cells: 100)
    #expect(model.counts == (100, 0, 0, 0))
    load(model, 0..<20)
    #expect(model.counts == (80, 20, 0, 0))
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
    #expect(model.counts == (0, failed, 0, 60 - failed))
  }

  @Test func `the selected cell is retried and cancelled by itself`() {
    let model = model(cells: 9)
    load(model, 0..<9)
    model.selected = 4
    model.cancel()
    #expect(model.counts == (1, 8, 0, 0))
    model.reloadSelected()
    #expect(model.counts == (0, 9, 0, 0))
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
