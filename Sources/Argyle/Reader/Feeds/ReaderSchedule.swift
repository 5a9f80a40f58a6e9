import Articles
import Foundation
import Loading

/// The automatic reloads while the program runs.
extension ReaderModel {
  /// The minimum time between two automatic reloads, in seconds: a feed whose fetch was cancelled
  /// stays due, and must not be fetched again at once.
  private static let scheduleRest: TimeInterval = 60
  /// How much longer than that it is after one that fetched or stored nothing, in seconds.
  private static let futileRest: TimeInterval = 840

  /// When feeds, or accounts without feeds, are reloaded next; nil for never.
  var nextReload: Date? {
    let dates = [
      feeds.latestValue?.lazy.compactMap(\.nextReload).min(),
      accounts.latestValue?.lazy.compactMap(\.nextReload).min(),
    ]
    guard let date = dates.compactMap(\.self).min() else { return nil }
    let due =
      scheduledReload.latestValue.map { max(date, $0.addingTimeInterval(Self.scheduleRest)) }
      ?? date
    return quiet?.end(around: max(due, source.fetches.now()), localOffset) ?? due
  }

  /// Reloads the feeds that are due at ``nextReload``, unless the task is cancelled before.
  func reloadWhenDue() async {
    // Checked again after each wait: a machine that slept may wake up in the quiet hours.
    while let date = nextReload {
      let seconds = date.timeIntervalSince(source.fetches.now())
      guard seconds > 0 else { break }
      guard (try? await clock.sleep(for: .seconds(seconds))) != nil else { return }
    }
    // A task that was cancelled before it began gets here as well, while its successor is running.
    guard !Task.isCancelled, nextReload != nil else { return }
    scheduledReload.load(
      Loader { [weak self, fetches = source.fetches, rest = Self.futileRest] _ in
        do {
          if try await fetches.reloadScheduled() { return fetches.now() }
        } catch let error as StoreError {
          await self?.say(UserMessage(error).what)
        } catch {
          // Each feed's row shows its error; the next reload must not wait for this one's success.
          return fetches.now()
        }
        // The feeds stay due: nothing can be stored, or the user has cancelled their fetches.
        return fetches.now().addingTimeInterval(rest)
      }, .keepLatest, cause: .refresh)
  }
}
