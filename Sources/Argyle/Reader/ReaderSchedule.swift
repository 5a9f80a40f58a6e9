import Foundation
import Loading

/// Feeds that are reloaded by themselves while the program runs.
extension ReaderModel {
  /// The least time between two reloads by themselves: a feed whose fetch was cancelled stays due,
  /// and must not be fetched again at once.
  private static let scheduleRest: TimeInterval = 60

  /// When feeds are to be reloaded next; nil for never.
  var nextReload: Date? {
    guard let date = feeds.latestValue?.lazy.compactMap(\.nextReload).min() else { return nil }
    guard let last = scheduledReload.latestValue else { return date }
    return max(date, last.addingTimeInterval(Self.scheduleRest))
  }

  /// Reloads the feeds that are due when ``nextReload`` has come, unless the task is cancelled before.
  func reloadWhenDue() async {
    guard let date = nextReload else { return }
    let seconds = date.timeIntervalSince(source.fetches.now())
    if seconds > 0 { guard (try? await clock.sleep(for: .seconds(seconds))) != nil else { return } }
    scheduledReload.load(
      Loader { [fetches = source.fetches] _ in
        // What fails is said beside each feed.
        try? await fetches.reloadScheduled()
        return fetches.now()
      }, .keepLatest, cause: .refresh)
  }
}
