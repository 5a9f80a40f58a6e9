import Articles
import TerminalUI

/// Finds one of the reader's lists by a part of its name, since arrow keys are slow with hundreds
/// of feeds.
enum ListFinder {
  /// Returns the rows whose names contain all typed words, best first: names that begin with the
  /// text, then names with a word that does, then the others.
  ///
  /// A feed is also found by the folders around it.
  static func matches(_ typed: String, among rows: [FeedRow]) -> [Match] {
    let words = FoldedText.folded(typed).split(whereSeparator: \.isWhitespace)
    let ranked = Match.all(rows).compactMap { match -> (match: Match, rank: Int)? in
      let name = FoldedText.folded(match.row.name)
      let path = FoldedText.folded(match.path.joined(separator: " "))
      // Its sign is typed as it is shown, as in “/ name”.
      guard
        words.allSatisfy({ name.contains($0) || path.contains($0) || $0 == match.row.symbol ?? "" })
      else { return nil }
      let whole = words.drop { $0 == match.row.symbol ?? "" }.joined(separator: " ")
      let rank =
        name.hasPrefix(whole) ? 0 : name.contains(" " + whole) ? 1 : name.contains(whole) ? 2 : 3
      return (match, rank)
    }
    return (0...3).flatMap { rank in ranked.filter { $0.rank == rank }.map(\.match) }
  }

  /// A list that was found.
  struct Match: Identifiable {
    let row: FeedRow
    /// The names of the folders around it.
    let path: [String]

    var id: ReaderList { row.id }

    /// Returns a match for each row of the list of feeds.
    fileprivate static func all(_ rows: [FeedRow]) -> [Match] {
      var folders: [String] = []
      return rows.map { row in
        if case .feeds(.folder(let folder)) = row.id { folders = folder.path }
        return Match(row: row, path: Array(folders.prefix(row.depth)))
      }
    }
  }
}

extension ReaderModel {
  /// Shows a list that was found, whatever is on the screen.
  func go(to list: ReaderList) {
    sheet = nil
    close()
    search.isOpen = false
    showsFeeds = false
    select(list)
    openFoldersAround()
  }
}

extension ReaderModel {
  enum FeedStep { case next, previous }

  /// Shows the next feed with unread articles below the current list, or the previous one above it,
  /// wrapping around at the ends.
  ///
  /// - Returns: whether there is one.
  func goToUnreadFeed(_ step: FeedStep) -> Bool {
    guard let feed = unreadFeed(step) else {
      say("No other feed has unread articles.")
      return false
    }
    go(to: feed)
    return true
  }

  /// Returns the next feed with unread articles below the current list, or the previous one above
  /// it.
  func unreadFeed(_ step: FeedStep) -> ReaderList? {
    // A list without a row, such as a search that was just removed, counts as above all others.
    let (above, below) = allRows.around(list)
    let order =
      switch step {
      case .next: below + above
      case .previous: Array(above.reversed() + below.reversed())
      }
    return order.first { row in
      guard case .feeds(.feed) = row.id else { return false }
      return row.unread > 0
    }?.id
  }
}

/// The sheet with the field and the lists that match the text.
struct ListFinderSheet: View {
  let model: ReaderModel
  let go: @MainActor (ReaderList) -> Void
  @FocusState private var choosesRow: Bool
  @State private var typed = ""
  @State private var selection: ReaderList?

  private static let width = 48
  private static let mostRows = 12

  var body: some View {
    let matches = ListFinder.matches(typed, among: model.allRows)
    VStack(alignment: .leading) {
      TextField("part of a name", text: $typed).defaultFocus()
        .onSubmit(label: "go there", when: !matches.isEmpty) {
          if let first = matches.first { go(first.id) }
        }
        .onKeyPress(action: .down, label: "lists", footer: .ifRoom, when: !matches.isEmpty) {
          choosesRow = true
        }
      // The sheet keeps its size while fewer lists match, or none.
      Group {
        if matches.isEmpty {
          Text("No list has this in its name.").foregroundStyle(\.secondary)
            .frame(maxWidth: .infinity, maxHeight: .infinity, alignment: .topLeading)
        } else {
          List(
            matches, selection: $selection, submitLabel: "go there", onSubmit: { go($0.id) }
          ) { match in
            HStack {
              Text(match.row.title).lineLimit(1)
              Spacer()
              if !match.path.isEmpty {
                Text(match.path.joined(separator: " / ")).foregroundStyle(\.secondary).lineLimit(1)
              }
              if match.row.unread > 0 { Text("\(match.row.unread)").foregroundStyle(\.secondary) }
            }
          }
          .focused($choosesRow)
        }
      }
      .frame(maxHeight: min(model.allRows.count, Self.mostRows), alignment: .top)
    }
    .frame(idealWidth: Self.width, maxWidth: .infinity)
    // The list of feeds, which loads them too, may not have been shown yet.
    .onAppear { model.counts.load(.drop, cause: .appeared) }
    .onChange(of: typed) { selection = matches.first?.id }
  }
}
