import Foundation
import Loading
import Observation

/// Something that the user changed and that may not be saved yet.
@MainActor
protocol UnsavedChanges {
  /// Whether something is not saved yet.
  var isSaving: Bool { get }

  /// Saves what is not saved yet, and returns when all of it is saved or has failed, or else as soon as
  /// the task is cancelled.
  ///
  /// - Returns: a sentence for each change that was not saved.
  func finishSaving() async -> [String]
}

/// What the program saves before it ends, and what became of it.
@MainActor
@Observable
final class UnfinishedWork {
  /// For how long the end of the program waits.
  static let patience = Duration.seconds(2)
  /// How many changes are named; of more only the number is said.
  private static let namedLimit = 20

  /// Whether the program is ending and still saves something.
  private(set) var isFinishing = false
  /// A sentence for each change that was not saved in time.
  private(set) var losses: [String] = []
  @ObservationIgnored private let changes: @MainActor () -> [any UnsavedChanges]
  @ObservationIgnored private let clock: AnyClock

  init(clock: AnyClock, changes: @escaping @MainActor () -> [any UnsavedChanges]) {
    self.clock = clock
    self.changes = changes
  }

  /// Saves what is not saved yet, for at most ``patience``, or `limit` where that is shorter.
  ///
  /// None of its waits needs a thread that loads use: those may all be busy.
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

  /// What standard error is told of the changes that were not saved; nothing when there are none.
  var report: String {
    let hidden = losses.count - Self.namedLimit
    let lines =
      losses.prefix(Self.namedLimit)
      + (hidden > 0 ? ["\(hidden) more change\(hidden == 1 ? " was" : "s were") not saved."] : [])
    return lines.map { "argyle: \(printable($0))\n" }.joined()
  }
}
