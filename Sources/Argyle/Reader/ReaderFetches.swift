import Articles
import Foundation
import Loading

/// What is being fetched and synced, and what follows it.
extension ReaderModel {
  /// How often the screen is told of fetches: a reload of hundreds of feeds tells of thousands of
  /// steps, and each means a frame.
  private static let fetchRest = Duration.milliseconds(100)

  /// Shows which feeds are being fetched, until the task is cancelled.
  func followFetches() async {
    await firstLook.value
    await follow(source.fetches.running, \.fetching) {}
  }

  /// Shows which accounts are being synced, until the task is cancelled.
  func followAccounts() async {
    // Marks may have come from another device.
    await follow(source.accounts.running, \.syncing) { readAgain() }
  }

  /// - Parameter ended: what else is done when the last of them has ended.
  private func follow<ID>(
    _ running: Running<ID>, _ shown: ReferenceWritableKeyPath<ReaderModel, [ID: LoadingProgress]>,
    ended: () -> Void
  ) async {
    let changes = running.changes()
    self[keyPath: shown] = running.current()
    for await _ in changes {
      self[keyPath: shown] = running.current()
      // Also where none was seen: a fetch may begin and end between two looks.
      if self[keyPath: shown].isEmpty {
        ended()
        await source.fetches.index()
        // What came in is found from now on.
        countFound()
        loadFullTexts()
        await tellArrivals()
      }
      guard (try? await clock.sleep(for: Self.fetchRest)) != nil else { return }
    }
  }

  /// Fetches the pages of what came in, which takes as long as hundreds of servers do.
  private func loadFullTexts() {
    let loader = Loader { [fetches = source.fetches] _ in
      let count = await fetches.fullTexts()
      if count > 0 { await fetches.index() }
      return count
    }
    fullTexts.load(loader, .keepLatest, cause: .refresh)
  }

  /// Says to the user, and to a program, that new articles have come.
  private func tellArrivals() async {
    guard let new = try? await source.arrivals(), !new.isEmpty else { return }
    if ringsBell { bells += 1 }
    if notification != nil { arrivalWords = ArrivalWords(new, after: arrivalWords) }
    guard let arrivalHook else { return }
    program { [self] in
      if let words = await arrivalHook.run(new) { say(words) }
    }
  }

  /// Those of a list that are being fetched.
  func fetches(of list: ReaderList) -> [Feed.ID] {
    guard !fetching.isEmpty else { return [] }
    if case .feeds(.feed(let id)) = list { return fetching[id] == nil ? [] : [id] }
    let feeds = feeds.latestValue ?? []
    return feeds.filter { fetching[$0.id] != nil && list.selection.contains($0.feed) }.map(\.id)
  }

  /// Ends the fetches of a list; what was stored stays, and the others go on.
  func cancelFetches(of list: ReaderList) {
    for id in fetches(of: list) { source.fetches.running.cancel(id) }
  }
}
