import Loading
import Observation
import TerminalUI

/// A search that asks only when the typing rests, and in which a late answer never wins.
struct SearchScreen: View {
  let model: SearchModel

  var body: some View {
    HStack(alignment: .top) {
      VStack(alignment: .leading) {
        HStack {
          Text("Search").bold().foregroundStyle(\.accent)
          TextField("type a few letters", text: Binding(model, \.query)).defaultFocus()
        }
        .padding(.bottom)
        AsyncContentView(model.hits) { hits in
          List(hits) { Text($0.title).lineLimit(1) }
        }
        .empty(when: \.isEmpty) {
          Text(model.query.isEmpty ? "The handbook waits." : "Nothing in the handbook says that.")
            .foregroundStyle(\.secondary)
            .frame(maxWidth: .infinity, maxHeight: .infinity).focusable()
        }
        .focusSection()
      }
      .padding(.horizontal)
      .border("The handbook", color: \.accent)
      EventList(records: model.hits.history).frame(width: 46)
    }
  }
}

/// What is searched for, and what was found.
@MainActor
@Observable
final class SearchModel {
  struct Hit: Sendable, Identifiable {
    let title: String
    var id: String { title }
  }

  var query = "" {
    didSet {
      guard query != oldValue else { return }
      hits.load(Self.search(for: query))
    }
  }
  let hits: Resource<[Hit]>

  init(clock: AnyClock = .continuous, scheduler: LoadScheduler = .concurrent) {
    hits = Resource(initialState: .loaded([]), clock: clock, scheduler: scheduler)
  }

  /// The titles with these letters; short questions take longer, so that late answers occur.
  private static func search(for query: String) -> Loader<[Hit]> {
    let titles = DemoLibrary.handbook.articles.map(\.title)
    let words = query.lowercased().split(separator: " ")
    return Loader { context in
      guard !words.isEmpty else { return [] }
      try await context.clock.sleep(for: .milliseconds(max(300, 1500 - 200 * query.count)))
      let found = titles.filter { title in
        let title = title.lowercased()
        return words.allSatisfy { title.contains($0) }
      }
      return found.map(Hit.init)
    }
    .debounced(for: .milliseconds(300))
  }
}
