import Loading
import Observation
import TerminalUI

/// A search that begins once the user stops typing, and in which a late answer never replaces a newer
/// one.
struct SearchScreen: View {
  let model: SearchModel

  /// A narrower screen shows the search alone, without its events.
  private static let widthForEvents = 72

  var body: some View {
    GeometryReader { size in
      HStack(alignment: .top) {
        VStack(alignment: .leading) {
          HStack {
            Text("Search").bold()
            TextField("type a few letters", text: Binding(model, \.query)).defaultFocus()
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
          .focusSection()
        }
        .padding(.horizontal)
        .pane("The handbook")
        EventList(records: model.answer.history).frame(width: 46)
          .collapsed(size.width < Self.widthForEvents)
      }
    }
  }
}

/// The text of a search, and its results.
@MainActor
@Observable
final class SearchModel {
  struct Title: Sendable, Identifiable {
    let id: String
  }

  struct Answer: Sendable {
    let query: String
    let titles: [Title]

    /// The message where there are no results.
    var words: String {
      query.isEmpty ? "Type to search the handbook." : "No titles match “\(query)”."
    }
  }

  var query = "" {
    didSet {
      guard query != oldValue else { return }
      answer.load(Self.search(for: query))
    }
  }
  let answer: Resource<Answer>

  init(clock: AnyClock = .terminal, scheduler: LoadScheduler = .terminal) {
    answer = Resource(
      initialState: .loaded(Answer(query: "", titles: [])), name: "titles", clock: clock,
      scheduler: scheduler)
  }

  /// The titles with these letters; short questions take longer, so that late answers occur.
  private static func search(for query: String) -> Loader<Answer> {
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
    .debounced(for: .milliseconds(300))
  }
}
