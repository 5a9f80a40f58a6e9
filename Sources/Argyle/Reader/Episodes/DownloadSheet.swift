import Articles
import Loading
import TerminalUI

/// The sheet with the download queue: waiting, running and finished downloads.
struct DownloadSheet: View {
  let model: ReaderModel
  let days: DayText
  /// The size of the whole screen.
  let size: Size
  @Environment(\.terminal) private var terminal
  @Environment(\.keyMap) private var keyMap

  private static let leastWidth = 72
  private static let fewestRows = 14
  private static let widthOfState = 24
  /// With fewer columns than this, the state of a download is a single word.
  private static let widthForStates = 40
  /// With fewer rows than this, all of them but one are for the list.
  private static let heightForAdvice = 10

  var body: some View {
    let queue = model.downloads
    VStack(alignment: .leading) {
      AsyncContentView(queue.stored) { downloads in
        VStack(alignment: .leading) {
          List(
            downloads, selection: Binding(queue, \.selection), submitLabel: "play",
            onSubmit: play
          ) { download in
            HStack {
              Text(shortTitle(download.title)).bold(download.played == nil).lineLimit(1)
              Spacer()
              if size.width < Self.widthForStates {
                Text(queue.words(download, isShort: true)).foregroundStyle(\.secondary)
                  .lineLimit(1).layoutPriority(1)
              } else {
                Text(queue.words(download)).foregroundStyle(\.secondary).lineLimit(1)
                  .frame(maxWidth: Self.widthOfState, alignment: .trailing)
              }
            }
          }
          .frame(maxHeight: min(max(downloads.count, 1), mostRows))
          .defaultFocus()
          DownloadFailure(
            message: queue.selected.flatMap(queue.failure(of:)), days: days,
            isLow: size.height < Self.heightForAdvice)
        }
        .frame(idealWidth: width, maxWidth: .infinity)
      }
      .empty(when: \.isEmpty) {
        Text("Nothing is downloaded." + wayToDownload)
          .focusable().defaultFocus()
      }
      // Shown here because the sheet may cover the line at the bottom of the screen.
      if let notice = model.notice(inDownloads: true) { NoticeLine(notice: notice) }
    }
    .frame(maxWidth: width)
    // Keys that can do nothing for this row are not in the footer, but still belong to the sheet.
    .onKeyPress(
      action: .toggleDownload, label: toggleLabel, footer: isPlayable ? .never : .first,
      when: hasRows
    ) {
      queue.selected.map(model.toggleDownload)
    }
    .onKeyPress(action: .removeDownload, when: hasRows) {
      queue.selected.map(model.removeDownload)
    }
    .onKeyPress(action: .togglePlayed, footer: isPlayable ? .first : .never, when: hasRows) {
      queue.selected.map(model.togglePlayed)
    }
    .onKeyPress(hasRows && !isPlayable ? [playLater] : [])
    .onKeyPress(action: .play, footer: .never, when: hasRows) {
      if let download = queue.selected { model.play(download, terminal) }
    }
    .onKeyPress(action: .showDownloads, label: "close", footer: .never) { model.sheet = nil }
    .onKeyPress(action: .undo, when: !queue.undoable.isEmpty) { model.undoDownload() }
    .onKeyPress(
      action: .moveDownloadUp,
      footer: queue.selected?.id == queue.all.first?.id ? .never : .ifRoom, when: hasRows
    ) {
      if let download = queue.selected { model.moveDownload(download, by: -1) }
    }
    .onKeyPress(
      action: .moveDownloadDown,
      footer: queue.selected?.id == queue.all.last?.id ? .never : .ifRoom, when: hasRows
    ) {
      if let download = queue.selected { model.moveDownload(download, by: 1) }
    }
  }

  private var width: Int { max(Self.leastWidth, size.width / 2) }

  private var mostRows: Int { max(Self.fewestRows, size.height / 2) }

  private var wayToDownload: String {
    keyMap[.download].first.map { " In an article with a sound or a film, \($0) downloads it." }
      ?? ""
  }

  private var toggleLabel: String? {
    switch model.downloads.selected?.state {
    case .waiting: "stop"
    case .paused: "go on"
    case .failed: "try again"
    case .done, nil: nil
    }
  }

  /// Plays a download; nil if that of the selected row cannot be played.
  private var play: (@MainActor (Download) -> Void)? {
    guard isPlayable else { return nil }
    return { model.play($0, terminal) }
  }

  /// Says why the selected download cannot be played.
  private var playLater: KeyBinding {
    KeyBinding(keys: [KeyPress.enter], label: "play", footer: .never) {
      if let download = model.downloads.selected { model.play(download, terminal) }
    }
  }

  /// Whether the file of the selected download is complete.
  private var isPlayable: Bool { model.downloads.selected?.path != nil }

  private var hasRows: Bool { !model.downloads.all.isEmpty }
}

/// Why the selected download failed.
private struct DownloadFailure: View {
  let message: UserMessage?
  let days: DayText
  /// Whether there is room for one line only.
  let isLow: Bool

  var body: some View {
    if let message {
      VStack(alignment: .leading) {
        FailureText(message.what).lineLimit(isLow ? 1 : 2)
        if isLow {
          EmptyView()
        } else if let retryDate = message.retryDate {
          AgeView(until: retryDate, days: days) { _ in
            words(message.pauseWords(days) ?? message.advice)
          }
        } else {
          words(message.advice)
        }
      }
    }
  }
}
