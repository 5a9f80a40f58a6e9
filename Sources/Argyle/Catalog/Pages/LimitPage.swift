import Loading
import Observation
import TerminalUI

extension CatalogPage {
  static let limits = CatalogPage(
    "Limits & gallery", "Many loads of which only some run at once."
  ) { runtime in
    let model = LimitModel(runtime)
    return PageContent(
      view: { GalleryScreen(model: model.gallery) },
      options: [
        CatalogOption(
          "Loads at once", model, \.limit, ["4": 4, "1": 1, "24": 24, "no limit": 10_000]),
        CatalogOption("Cells", model, \.cells, ["24": 24, "100": 100, "1000": 1000]),
      ],
      actions: [
        CatalogAction("Load all again") { model.restart() },
        CatalogAction("Retry those that failed") { model.gallery.retryFailed() },
        CatalogAction("Cancel the selected one") { model.gallery.cancel() },
      ],
      events: { model.gallery.selectedEvents }
    ) { model.code }
  }
}

/// A gallery with its limits.
@MainActor
@Observable
final class LimitModel {
  var limit = 4 { didSet { gallery.limit = limit } }
  var cells = 24 { didSet { restart() } }
  private(set) var gallery: GalleryModel
  @ObservationIgnored private let runtime: SceneRuntime

  init(_ runtime: SceneRuntime) {
    self.runtime = runtime
    gallery = GalleryModel(cells: 24, limit: 4, runtime)
  }

  func restart() { gallery = GalleryModel(cells: cells, limit: limit, runtime) }

  fileprivate var code: String {
    let limit = limit == 10_000 ? "" : "limit: LoadLimit(\(limit))"
    return """
      import Loading
      import TerminalUI

      @MainActor let colours = ResourcePool<Int, Color>(\(limit)) { cell in
        Loader { _ in try await api.colour(cell) }
      }

      struct Wall: View {
        let cells = Array(0..<\(cells)).map(Cell.init)

        var body: some View {
          LazyVGrid(cells, columns: 3, rowHeight: 3) { cell, _ in
            AsyncContentView(colours[cell.id]) { $0 }
          }
        }
      }
      """
  }
}
