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
    let due =
      scheduledReload.latestValue.map { max(date, $0.addingTimeInterval(Self.scheduleRest)) }
      ?? date
    return quiet?.end(around: max(due, source.fetches.now()), localOffset) ?? due
  }

  /// Reloads the feeds that are due when ``nextReload`` has come, unless the task is cancelled before.
  func reloadWhenDue() async {
    // Looked at again after each wait: a machine that slept may wake in the quiet hours.
    while let date = nextReload {
      let seconds = date.timeIntervalSince(source.fetches.now())
      guard seconds > 0 else { break }
      guard (try? await clock.sleep(for: .seconds(seconds))) != nil else { return }
    }
    // One that was cancelled before it began comes to here, too, beside the one that took its place.
    guard !Task.isCancelled, nextReload != nil else { return }
    scheduledReload.load(
      Loader { [fetches = source.fetches] _ in
        // What fails is said beside each feed.
        try? await fetches.reloadScheduled()
        return fetches.now()
      }, .keepLatest, cause: .refresh)
  }
}
