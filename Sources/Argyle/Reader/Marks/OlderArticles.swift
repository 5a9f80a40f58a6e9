import Articles
import Foundation
import TerminalUI

extension ReaderModel {
  /// The age that an empty text stands for.
  static let usualAge = "7d"

  /// Marks the articles of the list that are older than a typed age as read, and closes the sheet.
  ///
  /// - Returns: false if it is not a valid age.
  func markRead(olderThan typed: String) -> Bool {
    let typed = typed.trimmingCharacters(in: .whitespaces)
    guard let date = TypedTime.date(typed.isEmpty ? Self.usualAge : typed) else { return false }
    sheet = nil
    markOlderRead(than: date)
    return true
  }
}

/// The sheet with the field for the age from which the articles of a list are marked as read.
struct OlderArticlesSheet: View {
  let model: ReaderModel
  @State private var typed = ""
  @State private var refused: String?

  var body: some View {
    VStack(alignment: .leading) {
      Text("What in “\(shortTitle(model.listTitle))” is older than").lineLimit(1)
      TextField(ReaderModel.usualAge, text: $typed).defaultFocus()
      if refused == typed { FailureText("This is neither of these:", plainMark: "Wrong: ") }
      VStack(alignment: .leading) {
        Text("a time: 12h, 7d, 2w, 1y")
        Text("a date: 2026-11-19")
      }
      .foregroundStyle(\.secondary)
    }
    .onSubmit(label: "mark as read") {
      refused = model.markRead(olderThan: typed) ? nil : typed
    }
  }
}
