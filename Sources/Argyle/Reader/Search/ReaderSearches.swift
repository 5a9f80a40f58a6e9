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
    let new = SavedSearch(searching: search.text, besides: searches)
    guard !new.text.isEmpty else { return say("Nothing to save. Type some words first.") }
    if let problem = QueryError(in: new.text) { return say("Not saved: \(problem.clause).") }
    if let known = searches.first(where: { $0.text == new.text }) {
      return say("You already have this search, as “\(known.name)”.")
    }
    guard !searches.contains(where: { $0.name == new.name }) else {
      return say("Another saved search is already named “\(new.name)”.")
    }
    edit(
      .add(new), saying: "Saved. It is in the list of feeds: / \(new.name).",
      loss: "The search “\(new.name)” was not saved.",
      as: .savedSearch(name: new.name), undo: .remove(new)
    ) {
    } undone: { [self] in
      await forgetArrangement(of: new)
    }
  }

  /// The saved search that is selected in the list of feeds.
  var selectedSearch: SavedSearch? {
    if case .search(let search) = list { search } else { nil }
  }

  /// Gives a saved search another name; its list stays arranged as it is.
  func rename(_ search: SavedSearch, to name: String) {
    guard name != search.name else { return }
    guard !searches.contains(where: { $0.name == name }) else {
      return say("Another saved search is already named “\(name)”.")
    }
    let renamed = SavedSearch(name: name, text: search.text)
    edit(
      .rename(search, to: name), saying: "Renamed: / \(name).",
      loss: "The search “\(search.name)” was not renamed.",
      as: .renamedSearch(name: search.name), undo: .rename(renamed, to: search.name)
    ) { [self] in
      await moveArrangement(from: search, to: renamed)
    } undone: { [self] in
      await moveArrangement(from: renamed, to: search)
    }
  }

  /// Makes the list of a renamed search stay arranged as it is.
  private func moveArrangement(from old: SavedSearch, to new: SavedSearch) async {
    arrange(new, like: old)
    await forgetArrangement(of: old)
  }

  /// Removes a saved search from the lists; its articles stay.
  func remove(_ search: SavedSearch) {
    let place = searches.firstIndex(of: search) ?? searches.endIndex
    let arrangement = arrangement(of: search)
    edit(
      .remove(search), saying: "Removed: / \(search.name).",
      loss: "The search “\(search.name)” was not removed.",
      as: .removedSearch(name: search.name), undo: .add(search, at: place)
    ) { [self] in
      await forgetArrangement(of: search)
    } undone: { [arrangements = source.arrangements] in
      try? await arrangements.store(arrangement)
    }
  }

  /// Edits the configuration file, in the order of all changes that can be undone.
  ///
  /// - Parameters:
  ///   - loss: the message if it is not edited before the program ends.
  ///   - undo: the edit that undoes it.
  ///   - then: called once the edit is stored.
  ///   - undone: called once it is undone.
  private func edit(
    _ edit: ConfigurationEdit, saying words: String, loss: String, as kind: LibraryChange.Kind,
    undo: ConfigurationEdit, then: @escaping @Sendable () async -> Void = {},
    undone: @escaping @Sendable () async -> Void = {}
  ) {
    change(loss: loss) { [editConfiguration, marks = source.marks] in
      let done = Notice(words: words, hint: .undo)
      switch await editConfiguration(edit) {
      case .stored: break
      case .unnecessary:
        return StoredChange(Notice(words: edit.unnecessaryWords), repeating: done)
      case .failed(let problem): return StoredChange(Notice(words: problem))
      }
      await then()
      marks.record(kind) {
        if case .failed(let problem) = await editConfiguration(undo) {
          throw DescribedError(problem, advice: "Correct the file and try again.")
        }
        await undone()
      }
      return StoredChange(done)
    }
  }
}

extension ConfigurationEdit {
  /// The message if there was nothing to change.
  fileprivate var unnecessaryWords: String {
    switch self {
    case .add(let search, _):
      "The search “\(search.name)” is in the configuration file already."
    case .remove(let search), .rename(let search, _):
      "The search “\(search.name)” is not in the configuration file any more."
    }
  }
}

extension SavedSearch {
  /// The maximum length of a name: the list of feeds does not show more.
  private static let longestName = 40

  /// Makes a search for a text, with the text as its name.
  ///
  /// A name that is cut short gets a number if another search has it.
  fileprivate init(searching text: String, besides others: [SavedSearch]) {
    let words = Self.name(typed: text)
    func cut(_ end: String) -> String { words.prefix(Self.longestName - end.count) + end }
    var name = words
    if words.count > Self.longestName {
      name = cut("…")
      var number = 1
      while others.contains(where: { $0.name == name }) {
        number += 1
        name = cut("… \(number)")
      }
    }
    self.init(name: name, text: words)
  }

  /// Returns what was typed with single spaces between the words.
  static func name(typed text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
