import Articles
import Foundation
import Loading
import TerminalUI

/// A row of the list of feeds, with its state: being fetched with its progress, failed some time
/// ago, or gone.
struct FeedRowView: View {
  let row: FeedRow
  let model: ReaderModel
  let days: DayText
  /// The width of the row, in columns.
  let width: Int
  @Environment(\.isPlain) private var isPlain

  /// From this width on, there is room for more than a symbol.
  private static let widthForWords = 26

  var body: some View {
    let isWide = width >= Self.widthForWords
    let format = model.settings.feedRow
    if format.isOwn || isPlain {
      HStack {
        title
        Spacer()
        state(isWide: isWide)
        if row.unread > 0 { Text("\(row.unread)").foregroundStyle(\.secondary) }
      }
    } else {
      FormattedRow(format: format, width: width) { field in
        switch field {
        case .title: title
        case .state: HStack { state(isWide: isWide) }
        case .unread:
          Text(row.unread > 0 ? "\(row.unread)" : "").foregroundStyle(\.secondary).lineLimit(1)
        }
      }
    }
  }

  @ViewBuilder
  private var title: some View {
    let title = Text(isPlain ? row.spokenTitle : row.title)
      // Addresses of one server differ at their end.
      .truncationMode(row.isAddress ? .head : .tail)
      .bold(row.unread > 0).lineLimit(1)
    if case .feeds(.folder(let folder)) = row.id, let symbol = row.symbol, !isPlain {
      // In front of the title, whose first column is the arrow.
      ZStack(alignment: .topLeading) {
        title
        Text(symbol).bold(row.unread > 0).lineLimit(1)
          .onTapGesture { model.toggle(folder) }
      }
      .padding(.leading, 2 * row.depth)
    } else {
      title.padding(.leading, 2 * row.depth)
    }
  }

  private func failure(_ age: String, isWide: Bool) -> String {
    isPlain ? "failed \(age)" : isWide ? "✗ \(age)" : "✗"
  }

  @ViewBuilder
  private func state(isWide: Bool) -> some View {
    if let account = row.account {
      AccountState(summary: account, progress: model.syncing[account.id], isWide: isWide)
    } else if case .feeds(.feed(let id)) = row.id, let progress = model.fetching[id] {
      WorkState(progress: progress, isWide: isWide)
    } else if row.isGone {
      Text(isWide || isPlain ? "gone" : "✗").foregroundStyle(\.failure).lineLimit(1)
    } else if let date = row.failed {
      AgeView(since: date, days: days) { age in
        Text(failure(age, isWide: isWide)).foregroundStyle(\.failure).lineLimit(1)
      }
    }
  }
}

extension FeedRow {
  /// The title with words instead of symbols, for plain mode.
  fileprivate var spokenTitle: String {
    switch id {
    case .search: "Search: \(name)"
    case .feeds(.account): "Account: \(name)"
    case .feeds(.folder): "\(isClosed ? "Closed folder" : "Folder"): \(name)"
    default: name
    }
  }
}

/// The error of a feed that could not be fetched, or its next reload.
struct FeedStatus: View {
  let feed: FeedSummary
  let isFetched: Bool
  let days: DayText
  var quiet: QuietHours?

  /// The maximum number of lines of a reason.
  private static let reasonLines = 3

  var body: some View {
    if let failure = feed.failure {
      VStack(alignment: .leading) {
        FailureText(failure.message.what).lineLimit(Self.reasonLines)
        if let gone = feed.goneSince {
          words("Gone since \(days.full(gone)). It is no longer fetched.")
        } else {
          AgeView(since: failure.date, days: days) { age in
            words(age == Age.now ? "Just now." : "\(age) ago.")
          }
          if !isFetched, let next = failure.nextAttempt, next != failure.message.retryDate {
            AgeView(until: next, days: days) { wait in
              if let wait { words("Next try in \(wait).") }
            }
          }
        }
        if isFetched {
          words("It is being fetched again.")
        } else if failure.message.isLasting {
          words(failure.message.advice)
        } else if let retryDate = failure.message.retryDate {
          AgeView(until: retryDate, days: days) { _ in
            if let pause = failure.message.pauseWords(days) { words(pause) } else { retryHint }
          }
        } else {
          retryHint
        }
      }
    } else if let next = feed.nextReload,
      let end = quiet?.end(around: max(next, days.now()), days.offset)
    {
      words("Next reload \(days.moment(end)), after the quiet hours.")
    } else if let next = feed.nextReload, next > days.now() {
      // A time of day rather than a duration, which would have to be redrawn every minute.
      words("Next reload \(days.moment(next)).")
    }
  }

  private var retryHint: some View { KeyHint(.reload, "to retry").lineLimit(1) }
}
