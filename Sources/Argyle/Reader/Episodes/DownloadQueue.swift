import Articles
import Foundation
import Loading
import Observation
import Storage
import TerminalUI

/// The source of the downloads that the reader shows.
struct DownloadSource: Sendable {
  /// The stored downloads, in the order of the queue.
  var stored = Loader<[Download]>.constant([])
  /// Fetches a download, or the rest of it.
  var fetch: @Sendable (Download.ID) -> Loader<Download> = { _ in
    .failure(DownloadError.noSuchDownload)
  }
  /// Adds a file that an article encloses to the queue; nil for the first.
  var queue: @Sendable (Article.ID, Attachment?) async throws -> Void = { _, _ in
    throw DownloadError.nothingEnclosed
  }
  var setPaused: @Sendable (Bool, Download.ID) async throws -> Void = { _, _ in }
  var remove: @Sendable (Download.ID) async throws -> Void = { _ in }
  /// Deletes the files of these removed downloads; nil for all that were removed long enough ago.
  var purge: @Sendable ([Download.ID]?) async -> Void = { _ in }
  /// Waits until it is stored which downloads are complete, and which feeds were not added.
  var finish: @Sendable () async -> Void = {}
  var restore: @Sendable (Download.ID) async throws -> Void = { _ in }
  /// Moves a download by some places in the queue.
  var move: @Sendable (Download.ID, Int) async throws -> Void = { _, _ in }
  /// Records that a download is being played, and returns the date that it recorded.
  var notePlaying: @Sendable (Download.ID) async throws -> Date = { _ in Date() }
  /// Returns the folder in which the player can store its position; makes the folder, and sets a
  /// stored position to the given time.
  var positionsFolder: @Sendable (Download.ID, Int?) async throws -> String = { _, _ in
    throw DownloadError.noSuchDownload
  }
  var setPlayed: @Sendable (Bool, Download.ID) async throws -> Void = { _, _ in }
  /// Undoes ``notePlaying``, restoring the played mark of the given state of the download.
  var takeBackPlaying: @Sendable (Download, _ notedAt: Date) async throws -> Void = { _, _ in }
  /// Undoes a change of the played mark, restoring the given state of the download.
  var takeBackPlayed: @Sendable (Download) async throws -> Void = { _ in }

  init() {}

  /// Makes the source that reads from the library.
  ///
  /// - Parameter network: closed while nothing can be fetched.
  init(_ library: Library, network: LoadGate) {
    stored = library.downloads().removeDuplicates()
    fetch = {
      library.fetchDownload($0, attempts: 5, network: network, waitsForOthers: true)
    }
    queue = { try await library.queueDownload(of: $0, enclosure: $1) }
    setPaused = { try await library.setPaused($0, $1) }
    remove = { try await library.removeDownload($0) }
    // Files that cannot be deleted now are deleted at the next start.
    purge = { try? await library.purgeDownloads($0) }
    finish = { await library.uncancelledWritesFinished() }
    restore = { try await library.restoreDownload($0) }
    move = { try await library.moveDownload($0, by: $1) }
    notePlaying = { try await library.notePlaying($0) }
    takeBackPlaying = { try await library.takeBackPlaying($0, notedAt: $1) }
    positionsFolder = { try await library.positionsFolder(of: $0, start: $1) }
    setPlayed = { try await library.setPlayed($0, $1) }
    takeBackPlayed = { try await library.takeBackPlayed($0) }
  }
}

/// The downloads of enclosed files: the queue, and the fetches in progress.
@MainActor
@Observable
final class DownloadQueue {
  let stored: Resource<[Download]>
  /// The fetches that were started in this run.
  @ObservationIgnored let fetches: ResourcePool<Download.ID, Download>
  var selection: Download.ID?
  /// The removals and marks, newest last.
  var undoable: [Undoable] = []

  /// A change of a download that can be undone.
  struct Undoable: Identifiable {
    enum Kind { case removed, marked }

    let id = UUID()
    let kind: Kind
    /// The download as it was before.
    let download: Download
  }

  /// The last change of each download, for which the next one waits: a removal that is undone at once
  /// must not be stored after it was undone.
  @ObservationIgnored fileprivate var changes: [Download.ID: Task<Void, Never>] = [:]

  /// The changes that can be undone and are not stored, or not read again yet.
  @ObservationIgnored fileprivate(set) var unread: Set<Undoable.ID> = []

  /// Whether a key was pressed twice: the download is still shown as it was before the change.
  fileprivate func isRepeated(_ kind: Undoable.Kind, _ download: Download) -> Bool {
    undoable.contains {
      $0.kind == kind && $0.download.id == download.id && unread.contains($0.id)
        && (kind == .removed
          || ($0.download.played, $0.download.position) == (download.played, download.position))
    }
  }

  /// How many files are fetched at the same time.
  @ObservationIgnored let limit = LoadLimit(2)
  /// The downloads that the user stopped, until their stored state has been read again.
  @ObservationIgnored private var stopped: Set<Download.ID> = []
  @ObservationIgnored let source: DownloadSource

  init(source: DownloadSource, clock: AnyClock, scheduler: LoadScheduler) {
    self.source = source
    stored = Resource(source.stored, name: "downloads", clock: clock, scheduler: scheduler)
    fetches = ResourcePool(
      capacity: 1_000, limit: limit, name: { _ in "download" }, clock: clock,
      scheduler: scheduler
    ) { source.fetch($0) }
  }

  var all: [Download] { stored.latestValue ?? [] }

  /// Returns the downloads of an article, which may enclose several files.
  func all(of article: Article) -> [Download] { all.filter { $0.articleID == article.id } }

  /// Returns the downloads of an article that can be played.
  func complete(of article: Article) -> [Download] { all(of: article).filter { $0.path != nil } }

  /// Returns the download of an article, a complete one if there are several.
  func download(of article: Article) -> Download? {
    complete(of: article).first ?? all(of: article).first
  }

  var selected: Download? { all.first { $0.id == selection } ?? all.first }

  /// Starts fetching the waiting downloads, in the order of the queue, and cancels those that
  /// another program stopped or removed.
  func start() {
    guard let all = stored.latestValue else { return }
    let waiting = Set(all.lazy.filter(\.isWaiting).map(\.id))
    fetches.forEach { id, fetch in
      if fetch.isLoading, !waiting.contains(id) { fetch.cancel() }
    }
    // A download that was stopped a moment ago must not start again, which could lose the part that
    // was fetched.
    for download in all where download.isWaiting && !stopped.contains(download.id) {
      let fetch = fetches[download.id]
      // A failed download is shown as failed, and is queued again only by the user.
      if !fetch.isLoading { fetch.load(.join, cause: .appeared) }
    }
  }

  /// Stops fetching a download, and keeps the part that was fetched.
  func stop(_ id: Download.ID) {
    stopped.insert(id)
    fetches.resource(ifPresent: id)?.cancel()
  }

  /// Reads the queue after a change was stored or failed.
  ///
  /// - Parameter id: the download that the change stopped or restored.
  func reload(after id: Download.ID?) async {
    stored.load(.restart, cause: .refresh)
    guard let id else { return }
    _ = await stored.settled()
    stopped.remove(id)
    // If the queue is unchanged, no observer is notified, and nothing else would start the download.
    start()
  }

  /// The downloads that were removed in this run; their files are kept until the program ends, so
  /// that the removal can be undone.
  private var removed: Set<Download.ID> {
    Set(undoable.lazy.filter { $0.kind == .removed }.map(\.download.id))
  }

  /// Whether ``finish()`` has something to do.
  var isUnfinished: Bool { !removed.isEmpty }

  /// Stores which downloads are complete, and deletes the files of those that were removed: after the
  /// program has ended, nothing can be undone.
  func finish() async {
    await Task { [source] in await source.finish() }.finished()
    guard !removed.isEmpty else { return }
    await source.purge(Array(removed))
    undoable = []
  }

  /// Returns why a download failed, also while it waits for its next attempt; nil if it did not fail.
  func failure(of download: Download) -> UserMessage? {
    if let activity = fetches.resource(ifPresent: download.id)?.activity,
      activity.nextAttemptAt != nil, let failure = activity.attemptFailure
    {
      return UserMessage(failure.error)
    }
    return download.state.failure
  }

  /// Returns the progress of a download for its row.
  ///
  /// - Parameter isShort: whether there is only room for a word.
  func words(_ download: Download, isShort: Bool = false) -> String {
    let size = Attachment.size
    if let fetch = fetches.resource(ifPresent: download.id), let activity = fetch.activity,
      fetch.isLoading
    {
      switch activity.phase {
      case .paused(let reason): return isShort ? "paused" : "paused (\(reason))"
      case .waiting: return "waiting"
      default: break
      }
      if activity.nextAttemptAt != nil { return isShort ? "✗ failed" : "failed, tried again soon" }
      let percent = fetch.progress?.percent.map { "\($0) %" }
      return percent ?? "fetching"
    }
    switch download.state {
    case .waiting: return "waiting"
    case .paused: return isShort ? "stopped" : "stopped at \(size(download.received))"
    case .failed: return "✗ failed"
    case .done:
      if isShort, let position = download.position { return "at \(Attachment.clock(position))" }
      if let words = download.positionWords { return words }
      if isShort, download.played != nil { return "played" }
      return (download.played == nil ? "" : "played · ") + size(download.received)
    }
  }
}

extension ReaderModel {
  /// Changes the queue, and reads it again.
  ///
  /// - Parameters:
  ///   - loss: the message if it is not changed before the program ends.
  ///   - id: the download that is changed, if it is in the queue already.
  ///   - isSelected: whether that download is selected afterwards.
  ///   - undoable: what the user can undo from now on, unless the change cannot be stored.
  ///   - undone: what the change undoes; it can be undone again if the store could not be written.
  ///   - ended: what can no longer be undone once the change is stored.
  private func changeDownloads(
    _ words: String? = nil, _ hint: Notice.Hint? = nil, loss: String, of id: Download.ID? = nil,
    isSelected: Bool = false, undoable: DownloadQueue.Undoable? = nil,
    undone: DownloadQueue.Undoable? = nil, ended: [DownloadQueue.Undoable] = [],
    _ change: @escaping @Sendable (DownloadSource) async throws -> Void
  ) {
    let downloads = downloads
    let place = downloads.undoable.count
    if let undoable {
      downloads.undoable.append(undoable)
      downloads.unread.insert(undoable.id)
    }
    let before = id.flatMap { downloads.changes[$0] }
    let storing = begin(loss: loss) { [self] in
      await before?.value
      do {
        try await change(downloads.source)
        downloads.undoable.removeAll { undoable in ended.contains { $0.id == undoable.id } }
        if let words { say(words, hint) }
      } catch {
        say(UserMessage(error).what)
        downloads.undoable.removeAll { $0.id == undoable?.id }
        // One that is gone for good would keep the user from those before it.
        if let undone, error is StoreError {
          downloads.undoable.insert(undone, at: min(place, downloads.undoable.count))
        }
      }
    }
    if let id { downloads.changes[id] = storing }
    Task {
      await storing.value
      await downloads.reload(after: id)
      if let undoable { downloads.unread.remove(undoable.id) }
      // Not before, because a list replaces a selection of which it has no row.
      if isSelected { downloads.selection = id }
    }
  }

  /// Shows the downloads, as their files are now.
  func showDownloads() {
    sheet = .downloads
    downloads.stored.load(.keepLatest, cause: .appeared)
  }

  /// Downloads the file that an article encloses, or lets the user choose one of several, once there
  /// is a text, which says which there are.
  func downloadEnclosure(of article: Article) {
    let (pressed, open) = (position, openArticle?.id)
    let loss = Self.notQueued(article)
    withText(documents[article.id], loss: loss, isEnough: { _ in true }) { [self] in
      if $0.extras.enclosures.count <= 1 {
        download(article)
      } else if position == pressed, openArticle?.id == open {
        sheet = .enclosures
      } else {
        say("\(loss) Choose one of its files.")
      }
    }
  }

  private static func notQueued(_ article: Article) -> String {
    "“\(shortTitle(article.title))” was not queued."
  }

  /// Downloads a file that an article encloses.
  ///
  /// - Parameter enclosure: nil for the first.
  func download(_ article: Article, _ enclosure: Attachment? = nil) {
    let title = "“\(shortTitle(article.title))”"
    func isMeant(_ download: Download) -> Bool {
      enclosure.map { $0.address == download.enclosure.address }
        ?? (download.articleID == article.id)
    }
    // Queued in any case: the file of one that is complete may have been deleted.
    let words =
      switch downloads.all.first(where: isMeant)?.state {
      case .done: "\(title) is downloaded."
      case .waiting: "\(title) is in the queue."
      case .paused, .failed, nil: "Queued: \(title)"
      }
    let removed = downloads.undoable.filter { $0.kind == .removed && isMeant($0.download) }
    // What was removed is queued again then, and cannot be brought back once more.
    changeDownloads(
      words, loss: Self.notQueued(article),
      of: removed.last?.download.id ?? downloads.all.first(where: isMeant)?.id, ended: removed
    ) {
      try await $0.queue(article.id, enclosure)
    }
  }

  /// Says why a download that this program has begun has failed, unless the box of the downloads shows
  /// it.
  func tellFailedDownload(since before: [Download]?) {
    guard let before, sheet != .downloads else { return }
    let known = Set(before.lazy.filter { $0.state.failure != nil }.map(\.id))
    let failed = downloads.all.first {
      $0.state.failure != nil && !known.contains($0.id)
        && downloads.fetches.resource(ifPresent: $0.id) != nil
    }
    guard let failed, let failure = failed.state.failure else { return }
    say("\(quotedTitle(failed)) was not downloaded. \(failure.what)", .seeDownload)
  }

  /// Pauses a download, or resumes a paused or failed one.
  func toggleDownload(_ download: Download) {
    let title = quotedTitle(download)
    switch download.state {
    case .done: say("It is downloaded.")
    case .waiting:
      downloads.stop(download.id)
      changeDownloads(loss: "\(title) was not stopped.", of: download.id) {
        try await $0.setPaused(true, download.id)
      }
    case .paused, .failed:
      changeDownloads(loss: "\(title) was not queued again.", of: download.id) {
        try await $0.setPaused(false, download.id)
      }
    }
  }

  static let notDownloaded = "It has not been downloaded completely."

  /// Marks a download as played, or as not played.
  func togglePlayed(_ download: Download) {
    guard download.path != nil else { return say(Self.notDownloaded) }
    guard !downloads.isRepeated(.marked, download) else { return }
    // The key that a notice in the box offers would undo this change from now on.
    if notice(inDownloads: true) != nil { withdrawNotice() }
    // A download that was stopped in the middle becomes played.
    let isPlayed = download.played == nil || download.position != nil
    let loss = "\(quotedTitle(download)) was not marked as \(isPlayed ? "" : "not ")played."
    changeDownloads(
      loss: loss, of: download.id, undoable: .init(kind: .marked, download: download)
    ) {
      try await $0.setPlayed(isPlayed, download.id)
    }
  }

  func removeDownload(_ download: Download) {
    guard !downloads.isRepeated(.removed, download) else { return }
    downloads.stop(download.id)
    let all = downloads.all
    if let index = all.firstIndex(where: { $0.id == download.id }) {
      downloads.selection = (all.dropFirst(index + 1).first ?? all.prefix(index).last)?.id
    }
    let title = quotedTitle(download)
    changeDownloads(
      "Removed \(title).", .undo, loss: "\(title) was not removed.", of: download.id,
      undoable: .init(kind: .removed, download: download)
    ) {
      try await $0.remove(download.id)
    }
  }

  /// Takes back the newest removal or mark.
  func undoDownload() {
    guard let undone = downloads.undoable.popLast() else { return }
    let download = undone.download
    let title = quotedTitle(download)
    switch undone.kind {
    case .removed:
      changeDownloads(
        "\(title) is back.", loss: "\(title) was not brought back.", of: download.id,
        isSelected: true, undone: undone
      ) {
        try await $0.restore(download.id)
      }
    case .marked:
      downloads.selection = download.id
      let state =
        download.position.map { "goes on at \(Attachment.clock($0)) again" }
        ?? (download.played == nil ? "is marked as not played" : "is marked as played")
      changeDownloads(
        "Undone: \(title) \(state).", loss: "The mark of \(title) was not undone.",
        of: download.id, undone: undone
      ) {
        try await $0.takeBackPlayed(download)
      }
    }
  }

  /// Moves a download up or down in the queue.
  func moveDownload(_ download: Download, by step: Int) {
    downloads.selection = download.id
    changeDownloads(loss: "\(quotedTitle(download)) was not moved.", of: download.id) {
      try await $0.move(download.id, step)
    }
  }

  private func quotedTitle(_ download: Download) -> String { "“\(shortTitle(download.title))”" }
}

extension Download.State {
  /// Why the download has failed; nil if it has not.
  var failure: UserMessage? {
    if case .failed(let message) = self { message } else { nil }
  }
}

extension Download {
  /// Where the player stopped, such as `at 12:05 of 48:00`; nil if that is not known.
  var positionWords: String? {
    guard let position else { return nil }
    let length = enclosure.seconds.map { " of \(Attachment.clock($0))" } ?? ""
    return "at \(Attachment.clock(position))\(length)"
  }
}
