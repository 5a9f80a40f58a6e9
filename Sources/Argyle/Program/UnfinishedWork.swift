import Foundation
import Loading
import Observation

/// A model with user changes that may not be saved yet.
@MainActor
protocol UnsavedChanges {
  /// Whether a change is not saved yet.
  var isSaving: Bool { get }

  /// Saves all changes, and returns once each is saved or has failed, or as soon as the task is
  /// cancelled.
  ///
  /// - Returns: a sentence for each change that was not saved.
  func finishSaving() async -> [String]
}

/// What the program saves before it ends, and whether that succeeded.
@MainActor
@Observable
final class UnfinishedWork {
  /// How long the program waits for saving before it ends.
  static let patience = Duration.seconds(2)
  /// How many lost changes the report names; it only counts the others.
  private static let namedLimit = 20

  /// Whether the program is ending and still saving.
  private(set) var isFinishing = false
  /// A sentence for each change that was not saved in time.
  private(set) var losses: [String] = []
  @ObservationIgnored private let changes: @MainActor () -> [any UnsavedChanges]
  @ObservationIgnored private let clock: AnyClock

  init(clock: AnyClock, changes: @escaping @MainActor () -> [any UnsavedChanges]) {
    self.clock = clock
    self.changes = changes
  }

  /// Saves all changes, for at most ``patience``, or `limit` if that is shorter.
  ///
  /// Waiting does not need the threads of loads, since those may all be busy.
  func finish(within limit: Duration = patience) async {
    let changes = changes()
    isFinishing = changes.contains(where: \.isSaving)
    defer { isFinishing = false }
    let tasks = changes.map { change in Task { await change.finishSaving() } }
    let alarm = Task { [clock] in
      let patience = max(.zero, min(limit, Self.patience))
      guard (try? await clock.sleep(for: patience)) != nil else { return }
      for task in tasks { task.cancel() }
    }
    for task in tasks { losses += await task.value }
    alarm.cancel()
  }

  /// The text for standard error about changes that were not saved; empty if there are none.
  var report: String {
    let hidden = losses.count - Self.namedLimit
    let lines =
      losses.prefix(Self.namedLimit)
      + (hidden > 0
        ? ["\(counted(hidden, "more change was", "more changes were")) not saved."] : [])
    return lines.map { "argyle: \(printable($0))\n" }.joined()
  }
}

extension Task<Void, Never> {
  /// Waits until this task has ended, or the waiting task is cancelled, which does not cancel this
  /// one.
  func finished() async {
    let (end, continuation) = AsyncStream.makeStream(of: Never.self)
    Task {
      await value
      continuation.finish()
    }
    for await _ in end {}
  }
}
