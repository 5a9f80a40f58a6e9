import Loading
import Observation
import TerminalUI

extension CatalogPage {
  static let search = CatalogPage(
    "Search", "A debounced search that no late answer can disturb."
  ) { runtime in
    let model = SearchModel(runtime)
    return PageContent(
      view: { SearchView(model: model) },
      options: [
        CatalogOption(
          "Debounced", model, \.quiet,
          ["300 ms": .milliseconds(300), "1 s": .seconds(1), "not": .zero])
      ],
      actions: [
        CatalogAction("Type “so”, then “socks”") { model.typeInTurn(["so", "socks"]) },
        CatalogAction("Clear") { model.query = "" },
      ], events: { PageEvent.all(of: model.answer) }
    ) {
      """
      import Loading
      import TerminalUI

      struct SearchView: View {
        let titles = Resource<[Post]>()
        @State private var query = ""

        var body: some View {
          TextField("type a few letters", text: $query)
            .onChange(of: query) { _, query in
              titles.load(
                Loader { _ in try await api.posts(about: query) }
                  .debounced(for: \(model.quiet.swift)))
            }
          AsyncContentView(titles) { List($0) { Text($0.title) } }
        }
      }
      """
    }
  }
}

private struct SearchView: View {
  let model: SearchModel
  @FocusState private var isTyping: Bool

  var body: some View {
    VStack(alignment: .leading) {
      HStack {
        Text("Search").bold()
        TextField("type a few letters", text: Binding(model, \.query)).focused($isTyping)
      }
      .padding(.bottom)
      AsyncContentView(model.answer) { answer in
        if answer.titles.isEmpty {
          Text(answer.words)
            .foregroundStyle(\.secondary)
            .frame(maxWidth: .infinity, maxHeight: .infinity).focusable()
        } else {
          List(answer.titles) { Text($0.id).lineLimit(1) }
        }
      }
      // Not the field, in which the keys that turn the pages would be text.
      .defaultFocus()
      .onKeyPress(action: .search, label: "type") { isTyping = true }
      .focusSection()
    }
    .padding(.horizontal)
  }
}

/// The query of a search, and its results.
@MainActor
@Observable
final class SearchModel {
  struct Title: Sendable, Identifiable {
    let id: String
  }

  struct Answer: Sendable {
    let query: String
    let titles: [Title]

    /// The message if there are no results.
    var words: String {
      query.isEmpty ? "The titles that match appear here." : "No titles match “\(query)”."
    }
  }

  var query = "" {
    didSet {
      guard query != oldValue else { return }
      answer.load(search(for: query))
    }
  }
  /// How long typing has to pause before the search starts.
  var quiet = Duration.milliseconds(300)
  let answer: Resource<Answer>
  @ObservationIgnored private let runtime: SceneRuntime

  init(_ runtime: SceneRuntime) {
    self.runtime = runtime
    answer = Resource(
      initialState: .loaded(Answer(query: "", titles: [])), name: "titles", historyCapacity: 64,
      clock: runtime.clock, scheduler: runtime.scheduler)
  }

  /// Types queries one after the other, so that the answers to all but the last are superseded.
  func typeInTurn(_ texts: [String]) {
    query = ""
    for text in texts { query = text }
  }

  /// Returns a loader of the titles that contain the query; short queries take longer, so that late
  /// answers occur.
  private func search(for query: String) -> Loader<Answer> {
    let titles = DemoLibrary.handbook.articles.map(\.title)
    let words = query.lowercased().split(separator: " ")
    return Loader { context in
      guard !words.isEmpty else { return Answer(query: "", titles: []) }
      try await context.clock.sleep(for: .milliseconds(max(300, 1500 - 200 * query.count)))
      let found = titles.filter { title in
        let title = title.lowercased()
        return words.allSatisfy { title.contains($0) }
      }
      return Answer(query: query, titles: found.map(Title.init))
    }
    .under(runtime.faults)
    .debounced(for: quiet)
  }
}
