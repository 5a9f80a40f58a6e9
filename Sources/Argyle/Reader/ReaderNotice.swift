import Loading
import TerminalUI

/// A message of the reader that disappears after a while.
struct Notice: Hashable, Sendable {
  let words: String
  /// What the user may want to do about it.
  var hint: Hint?

  struct Hint: Hashable, Sendable {
    let action: KeyAction
    let words: String

    static let undo = Hint(action: .undo, words: "to undo.")
    static let fetchAll = Hint(action: .reloadAll, words: "to fetch them.")
  }
}

extension ReaderModel {
  static let noticeTime = Duration.seconds(4)

  /// Shows a message that disappears after a while.
  func say(_ words: String, _ hint: Notice.Hint? = nil) {
    say { Notice(words: words, hint: hint) }
  }

  /// Runs `make` and shows the notice that it returns.
  func say(_ make: @escaping @Sendable () async -> Notice) {
    notice.load(
      Loader { context, output in
        output.yield(await make())
        try await context.clock.sleep(for: Self.noticeTime)
        return nil
      }, .restart)
  }
}

/// A notice, with the key of its hint while that key works.
struct NoticeLine: View {
  let notice: Notice

  var body: some View {
    HStack {
      Text(notice.words).foregroundStyle(\.secondary)
      if let hint = notice.hint {
        KeyHint(hint.action, hint.words, aboutScreen: true).layoutPriority(1)
      }
    }
    .lineLimit(1)
  }
}
