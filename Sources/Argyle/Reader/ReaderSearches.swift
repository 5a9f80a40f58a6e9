import Articles
import Loading

/// Searches, and the saved ones, which are stored in the configuration file.
extension ReaderModel {
  /// Starts a search, even if only the feeds are on the screen.
  func openSearch() {
    showsFeeds = false
    search.begin()
  }

  /// Saves the current search as a list.
  func saveSearch() {
    let new = SavedSearch(searching: search.text)
    guard !new.text.isEmpty else { return say("Nothing to save. Type some words first.") }
    if let problem = QueryError(in: new.text) { return say("Not saved: \(problem.clause).") }
    if let known = searches.first(where: { $0.text == new.text }) {
      return say("You already have this search, as “\(known.name)”.")
    }
    guard !searches.contains(where: { $0.name == new.name }) else {
      return say("Another saved search is already named “\(new.name)”.")
    }
    edit(
      .add(new), saying: "Saved. It is in the list of feeds: / \(new.name)",
      loss: "The search “\(new.name)” was not saved.")
  }

  /// The saved search that is selected in the list of feeds.
  var selectedSearch: SavedSearch? {
    if case .search(let search) = list { search } else { nil }
  }

  /// Gives a saved search another name; its list stays arranged as it is.
  func rename(_ search: SavedSearch, to typed: String) {
    let name = typed.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard !name.isEmpty, name != search.name else { return }
    guard !searches.contains(where: { $0.name == name }) else {
      return say("Another saved search is already named “\(name)”.")
    }
    edit(
      .rename(search, to: name), saying: "Renamed: / \(name)",
      loss: "The search “\(search.name)” was not renamed."
    ) { [self, arrangements = source.arrangements] in
      await arrange(SavedSearch(name: name, text: search.text), like: search)
      try? await arrangements.forget(.search(search))
    }
  }

  /// Removes a saved search from the lists; its articles stay.
  func remove(_ search: SavedSearch) {
    let place = searches.firstIndex(of: search) ?? searches.endIndex
    let arrangement = arrangement(of: search)
    change(loss: "The search “\(search.name)” was not removed.") {
      [editConfiguration, marks = source.marks, arrangements = source.arrangements] in
      if let problem = await editConfiguration(.remove(search)) { return Notice(words: problem) }
      // Otherwise, another search with the same name would inherit the choice. A failure is
      // ignored, since nothing reads the leftover row.
      try? await arrangements.forget(.search(search))
      marks.recordRemoval(search) {
        if let problem = await editConfiguration(.insert(search, at: place)) {
          throw DescribedError(problem, advice: "Correct the file and try again.")
        }
        try? await arrangements.store(arrangement)
      }
      return Notice(words: "Removed: / \(search.name).", hint: .undo)
    }
  }

  private func edit(
    _ edit: ConfigurationEdit, saying words: String, loss: String,
    then: @escaping @Sendable () async -> Void = {}
  ) {
    write(loss) { [editConfiguration] in
      if let problem = await editConfiguration(edit) { return Notice(words: problem) }
      await then()
      return Notice(words: words)
    }
  }
}

extension SavedSearch {
  /// The maximum length of a name: the list of feeds does not show more.
  private static let longestName = 40

  /// Makes a search for a text, with the text as its name.
  init(searching text: String) {
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let isLong = words.count > Self.longestName
    self.init(name: isLong ? words.prefix(Self.longestName - 1) + "…" : words, text: words)
  }
}
