import TerminalUI

extension Scene {
  /// Pages of the catalog, each on its own.
  static let patterns = [
    Scene(
      "retry", "A load that retries automatically, and says when; r retries now.",
      at: .milliseconds(1900)
    ) { PageScene($0, .retry) },
    Scene(
      "profile", "A profile and its posts; loading the posts fails the first time.",
      at: .seconds(2)
    ) { PageScene($0, .combine) },
    Scene(
      "search", "A debounced search that ignores answers of older queries.",
      at: .milliseconds(2300), keys: "@0.1 / @0.2 w @0.3 h @0.4 y @1.9 space @2 s"
    ) { PageScene($0, .search) },
    Scene(
      "removing", "Rows that are removed one by one, each with its own spinner; x removes.",
      at: .milliseconds(2300), keys: "@0.5 j j j x @1 k x @1.3 k x"
    ) { PageScene($0, .removing) },
  ]
}

/// A page of the catalog beside its events.
struct PageScene: View {
  private let page: CatalogPage
  private let content: PageContent

  init(_ runtime: SceneRuntime, _ page: CatalogPage) {
    self.page = page
    content = page.open(runtime)
  }

  private static let (widthForBoth, widthOfEvents) = (100, 46)

  var body: some View {
    ProgramFrame {
      GeometryReader { size in
        HStack(alignment: .top) {
          content.view.frame(maxWidth: .infinity, maxHeight: .infinity, alignment: .topLeading)
            .pane(page.name)
          EventList(events: content.events()).frame(width: Self.widthOfEvents)
            .collapsed(size.width < Self.widthForBoth)
        }
      }
    }
  }
}

extension Scene {
  static let catalog = [
    Scene(
      "catalog", "A storybook of loading states: live, with every option and the Swift for it.",
      at: .milliseconds(4100), keys: "@3.2 tab j enter"
    ) { runtime in
      ProgramScene(runtime, part: .catalog)
    }
  ]
}
