import Loading
import Observation
import TerminalUI

extension CatalogPage {
  static let paging = CatalogPage(
    "Paging", "A list that grows as it is read, page by page."
  ) { runtime in
    let model = PagingModel(runtime)
    return PageContent(
      view: { PagingView(model: model) },
      options: [
        CatalogOption("Page size", model, \.pageSize, ["10": 10, "25": 25, "5": 5]),
        CatalogOption("Ahead of the end", model, \.distance, ["3": 3, "0": 0, "10": 10]),
        CatalogOption("The third page", model, \.failsOnce, ["fails once": true, "loads": false]),
      ],
      actions: [
        CatalogAction("Load the next page") { model.list.loadMore() },
        CatalogAction("Load what is there again") { model.list.load() },
        CatalogAction("Load the first page again") { model.list.loadFirst() },
        CatalogAction("Retry the next page") { model.list.append.retry() },
        CatalogAction("Reset") { model.list.content.reset() },
      ],
      events: {
        (PageEvent.all(of: model.list.content, named: "list")
          + PageEvent.all(of: model.list.append, named: "next")).inOrder
      },
      again: { model.again }
    ) { model.code }
  }
}

/// A list of letters, loaded page by page.
@MainActor
@Observable
final class PagingModel {
  struct Letter: Sendable, Identifiable {
    let id: Int
  }

  var pageSize = 10 { didSet { list = makeList() } }
  var distance = 3 { didSet { list = makeList() } }
  /// Whether the third page fails the first time that it is loaded.
  var failsOnce = true { didSet { list = makeList() } }
  private(set) var list: PagedResource<Letter, Int>
  @ObservationIgnored private let runtime: SceneRuntime

  private nonisolated static let letterCount = 60

  init(_ runtime: SceneRuntime) {
    self.runtime = runtime
    list = PagedResource { _ in .constant(Page([], next: nil)) }
    list = makeList()
  }

  /// The action of `r` in any pane.
  var again: CatalogAction? {
    .retry(list.append) ?? .again(list.content) { [list] in list.load() }
  }

  private func makeList() -> PagedResource<Letter, Int> {
    let (size, faults) = (pageSize, runtime.faults)
    var failsOnce = failsOnce
    return PagedResource(
      prefetchDistance: distance, name: "letters", clock: runtime.clock,
      scheduler: runtime.scheduler
    ) { cursor in
      let start = cursor ?? 0
      let fails = failsOnce && start == 2 * size
      if fails { failsOnce = false }
      return Loader { context in
        try await context.clock.sleep(for: .milliseconds(800))
        if fails && context.cause != .retry {
          throw DescribedError("The next letters could not be loaded.", advice: "Try again.")
        }
        let end = min(Self.letterCount, start + size)
        return Page((start..<end).map(Letter.init), next: end < Self.letterCount ? end : nil)
      }
      .under(faults)
    }
  }

  fileprivate var code: String {
    """
    import Loading
    import TerminalUI

    struct PostList: View {
      let list = PagedResource(prefetchDistance: \(distance)) { (cursor: Int?) in
        Loader { _ in try await api.posts(after: cursor, limit: \(pageSize)) }
      }

      var body: some View {
        AsyncContentView(list) { posts in
          List(posts) { Text($0.title) }
            .onVisibleRowsChange { list.show($0) }
        }
        AsyncContentView(list.append) { _ in EmptyView() }.frame(height: 1)
      }
    }
    """
  }
}

private struct PagingView: View {
  let model: PagingModel

  var body: some View {
    let list = model.list
    VStack(alignment: .leading) {
      AsyncContentView(list) { letters in
        List(letters) { letter in
          Text("Letter \(letter.id + 1)").lineLimit(1)
        }
        .onVisibleRowsChange { list.show($0) }
      }
      ListEnd(
        end: list.append,
        words: "\(list.items.count) letters" + (list.hasMore ? ", and more" : "")
      )
      .frame(height: 1)
    }
    .padding(.horizontal)
  }
}

/// What is at an end of a list, and the state of loading the page beyond it.
struct ListEnd<Item: Sendable, Cursor: Sendable>: View {
  let end: Resource<Page<Item, Cursor>>
  let words: String

  var body: some View {
    HStack {
      // A failure gets all the room.
      if end.failure == nil { Text(words).foregroundStyle(\.secondary).lineLimit(1) }
      AsyncContentView(end) { _ in EmptyView() }.loading { _ in ProgressView() }
    }
    .frame(maxWidth: .infinity, alignment: .leading)
  }
}
