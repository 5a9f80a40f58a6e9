import Loading
import TerminalUI

/// A message of the reader that disappears after a while.
struct Notice: Hashable, Sendable {
  let words: String
  /// An action that the notice offers.
  var hint: Hint?
  /// Whether it was said while the box of the downloads was open: it is shown only there, and any
  /// other notice only outside of the box.
  var isOfDownloads = false

  struct Hint: Hashable, Sendable {
    let action: KeyAction
    let words: String

    static let undo = Hint(action: .undo, words: "to undo.")
    static let seeDownload = Hint(action: .showDownloads, words: "to see it.")
    static let fetchAll = Hint(action: .reloadAll, words: "to fetch them.")
  }
}

extension ReaderModel {
  /// How long a notice is shown.
  ///
  /// Not isolated: waiting for the main actor to read it would put a scripted clock's load to sleep
  /// too late, or never.
  nonisolated static let noticeTime = Duration.seconds(4)

  /// Shows a message that disappears after a while.
  func say(_ words: String, _ hint: Notice.Hint? = nil) {
    say(Notice(words: words, hint: hint))
  }

  func say(_ new: Notice) {
    var new = new
    new.isOfDownloads = sheet == .downloads
    notice.load(
      Loader { [new] context, output in
        output.yield(new)
        try await context.clock.sleep(for: Self.noticeTime)
        return nil
      }, .restart)
  }

  /// The notice that is shown in the box of the downloads, or outside of it.
  func notice(inDownloads: Bool) -> Notice? {
    guard let shown = notice.latestValue ?? nil, shown.isOfDownloads == inDownloads else {
      return nil
    }
    return shown
  }

  /// Removes the current notice, because it is no longer true.
  func withdrawNotice() {
    if notice.latestValue ?? nil != nil { notice.load(.constant(nil), .restart) }
  }

  /// Removes the notice of a mark that was not stored: its key would undo an earlier change.
  ///
  /// While another change is pending, the notice is not the failed mark's, whose own was removed
  /// when that change began. One in the box of the downloads offers to undo a change of those.
  func withdrawNoticeOfFailedMark() {
    guard !marks.hasPendingMutations, notice(inDownloads: false)?.hint == .undo else { return }
    withdrawNotice()
  }

  /// Writes a file, and shows the notice that `write` returns.
  ///
  /// Another notice does not cancel it.
  ///
  /// - Parameter loss: the message if it is not written before the program ends.
  func write(_ loss: String, _ write: @escaping @Sendable () async -> Notice) {
    begin(loss: loss) { [self] in say(await write()) }
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
