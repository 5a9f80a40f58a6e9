import Articles
import Loading

/// Searches, and the saved ones, which are kept in the configuration file.
extension ReaderModel {
  /// Begins a search, also where the feeds had the screen for themselves.
  func openSearch() {
    showsFeeds = false
    search.begin()
  }

  /// Makes what is searched for one of the lists.
  func saveSearch() {
    let new = SavedSearch(searching: search.text)
    guard !new.text.isEmpty else { return say("Nothing to save. Type some words first.") }
    if let problem = SavedSearch.problem(in: new.text) { return say("Not saved: \(problem).") }
    if let known = searches.first(where: { $0.text == new.text }) {
      return say("You already have this search, as “\(known.name)”.")
    }
    guard !searches.contains(where: { $0.name == new.name }) else {
      return say("Another saved search is already named “\(new.name)”.")
    }
    edit(.add(new), saying: "Saved. It is in the list of feeds: / \(new.name)")
  }

  /// Takes a saved search out of the lists; the articles stay.
  func remove(_ search: SavedSearch) {
    edit(.remove(search), saying: "Removed: / \(search.name)") {
      [arrangements = source.arrangements] in
      // Another search may get the name, and nobody is told of a row that nothing reads.
      try? await arrangements.forget(.search(search))
    }
  }

  private func edit(
    _ edit: ConfigurationEdit, saying words: String,
    then: @escaping @Sendable () async -> Void = {}
  ) {
    say { [editConfiguration] in
      if let problem = await editConfiguration(edit) { return Notice(words: problem) }
      await then()
      return Notice(words: words)
    }
  }
}

extension SavedSearch {
  /// More is not to be seen of a name among the feeds.
  private static let longestName = 40

  /// Why a search cannot be a list, as a clause for after a colon; nil when it can.
  static func problem(in text: String) -> String? {
    do {
      let condition = try ArticleCondition(text)
      return condition == nil ? "there is no word and no condition in it" : nil
    } catch {
      return error.clause
    }
  }

  /// A search for a text, named like it.
  init(searching text: String) {
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let isLong = words.count > Self.longestName
    self.init(name: isLong ? words.prefix(Self.longestName - 1) + "…" : words, text: words)
  }
}
