import Articles
import Foundation
import Observation
import TerminalUI

/// Asks for the age from which the articles of a list are marked as read.
@MainActor
@Observable
final class OlderArticles {
  /// The age that an empty field stands for.
  static let usualAge = "7d"

  var isOpen = false
  var typed = "" {
    didSet { if typed != oldValue { isRefused = false } }
  }
  /// Whether the typed text is not a valid age.
  var isRefused = false

  func open() {
    typed = ""
    isOpen = true
  }
}

extension ReaderModel {
  /// Marks the articles that are older than the typed age as read.
  func submitOlder() {
    let typed = older.typed.trimmingCharacters(in: .whitespaces)
    guard let date = TypedTime.date(typed.isEmpty ? OlderArticles.usualAge : typed) else {
      older.isRefused = true
      return
    }
    older.isOpen = false
    markOlderRead(than: date)
  }
}

/// The sheet with the field for the age.
struct OlderArticlesSheet: View {
  let model: ReaderModel

  var body: some View {
    VStack(alignment: .leading) {
      Text("What in “\(shortTitle(model.listTitle))” is older than").lineLimit(1)
      TextField(OlderArticles.usualAge, text: Binding(model.older, \.typed)).defaultFocus()
      if model.older.isRefused {
        FailureText("This is neither of these:", plainMark: "Wrong: ")
      }
      VStack(alignment: .leading) {
        Text("a time: 12h, 7d, 2w, 1y")
        Text("a date: 2026-11-19")
      }
      .foregroundStyle(\.secondary)
    }
    .onSubmit(label: "mark as read") { model.submitOlder() }
  }
}
