import Loading
import LoadingTesting
import TerminalUITesting
import Testing

@testable import TerminalUI

private struct Cell: Identifiable { let id: Int }

/// Cells that each load on their own when they become visible, at most two at a time.
private struct GalleryView: View {
  let pool: ResourcePool<Int, String>
  let cells = (1...30).map(Cell.init)

  var body: some View {
    VStack(alignment: .leading) {
      Text("\(pool.counts.loaded) loaded, \(pool.counts.failed) failed")
      LazyVGrid(cells, columns: 3) { cell, isSelected in
        AsyncContentView(pool[cell.id]) { color in
          Text(isSelected ? "▸ \(color)" : color)
        }
        .loading { _ in Spinner() }
        .failure { _, _ in Text(isSelected ? "✗ r to retry" : "✗") }
      }
    }
  }
}

@MainActor
@Suite struct GalleryExample {
  @Test func `only what is on the screen loads, and a cell is tried again by itself`() {
    let runtime = ManualRuntime()
    let server = ManualCalls<Int, String>()
    let pool = ResourcePool<Int, String>(
      limit: LoadLimit(2), clock: runtime.clock.any, scheduler: runtime.scheduler
    ) { id in Loader { _ in try await server.call(id) } }
    let stage = Stage(40, 3, runtime: runtime) { GalleryView(pool: pool) }
    #expect(server.inputs == [1, 2])
    server[0].succeed("red")
    server[1].fail(Broken())
    stage.advance(by: .milliseconds(200))
    #expect(server.inputs == [1, 2, 3, 4])
    #expect(
      stage.text == """
        1 loaded, 1 failed
        ▸ red         ✗            ⠹           ▐
        ⠹             ⠹            ⠹
        """)
    stage.press("l", "r")
    server.end()
    stage.settle()
    #expect(server.inputs.contains(2))
  }
}
