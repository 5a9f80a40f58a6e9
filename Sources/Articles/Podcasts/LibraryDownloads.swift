import Foundation
import HTTP
public import Loading
import Synchronization
import UserErrors

extension Library {
  /// Loads the downloads, in the order of the queue.
  ///
  /// Fetches nothing; use ``fetchDownload(_:)`` for that. A load by ``LoadActivity/Cause/refresh``,
  /// as after every change of the store, looks at the files of finished downloads only if what is
  /// stored about them has changed.
  public func downloads() -> Loader<[Download]> {
    Loader { [self] context in
      let isRefresh = context.cause == .refresh
      let known = isRefresh ? seenDownloads.withLock(\.self) : [:]
      let downloads = try await downloads(known: known)
      seenDownloads.withLock { $0 = Dictionary(downloads.map { ($0.id, $0) }) { $1 } }
      return downloads
    }
  }

  /// Returns the downloads that ``downloads()`` loads; for commands.
  public func storedDownloads() async throws -> [Download] { try await downloads(known: [:]) }

  private func downloads(known: [Download.ID: Download]) async throws -> [Download] {
    let folder = options.downloads.folder
    let positions = options.downloads.positions
    return try await store.downloads().map(\.download).map { download in
      var download = download
      if case .done(let path) = download.state {
        if let before = known[download.id], before.state == download.state,
          before.played == download.played
        {
          (download.received, download.position) = (before.received, before.position)
          return download
        }
        var status = stat()
        if lstat(path, &status) == 0 {
          download.received = Int(status.st_size)
          download.position = PlayerPosition(of: download.id, in: positions).seconds
        } else {
          download.state = .failed(DownloadError.fileGone(path: path).message)
          download.isFileGone = true
        }
      } else {
        download.received = DownloadFile.partSize(of: download.id, in: folder)
      }
      return download
    }
  }

  /// Whether a download is being fetched, by this process or another.
  public func isFetching(_ id: Download.ID) -> Bool {
    DownloadFile.isLocked(id, in: options.downloads.folder)
  }

  /// Adds an enclosure of an article to the queue.
  ///
  /// - Parameter chosen: one of ``enclosures(of:)``; nil for the first.
  /// - Throws: ``DownloadError``, ``LibraryError`` or ``StoreError``.
  @discardableResult
  public func queueDownload(
    of id: Article.ID, enclosure chosen: Attachment? = nil
  ) async throws -> Download.ID {
    let (article, text) = try await text(of: id)
    let all = text.enclosures
    guard let index = all.firstIndex(where: { chosen == nil || $0 == chosen }), !id.isBundled else {
      throw DownloadError.nothingEnclosed
    }
    // The files of an article would have the same title otherwise.
    let title = all.count > 1 ? "\(article.title) (\(index + 1) of \(all.count))" : article.title
    let download = try await store.enqueue(
      all[index], of: article, title: title, privateHost: text.privateHost)
    if case .done(let path)? = try await store.download(download)?.download.state,
      access(path, F_OK) != 0
    {
      try await store.setState(.waiting, of: download)
    }
    changed()
    return download
  }

  /// Fetches a file, or the rest of one, and stores the result.
  ///
  /// Cancelling keeps the bytes that are on the disk. Neither a retry nor a later run fetches them
  /// again, if the server gives the file an `ETag` or a modification date and supports ranges.
  ///
  /// - Parameters:
  ///   - attempts: the greatest number of attempts without progress: once another megabyte has
  ///     arrived, all of them are available again.
  ///   - network: a gate that is closed while there is no network; attempts wait for it to open.
  ///   - waitsForOthers: whether a file that another process is fetching is waited for, and fetched
  ///     if that process ends before; otherwise this throws ``DownloadError/busy``.
  public func fetchDownload(
    _ id: Download.ID, attempts: Int = 3, network: LoadGate? = nil, waitsForOthers: Bool = false
  ) -> Loader<Download> {
    let hasBegunAgain = Mutex(false)
    let once = Loader { [self] context in
      while true {
        do {
          return try await fetch(id, context) { isAgain in
            hasBegunAgain.withLock { $0 = isAgain }
          }
        } catch DownloadError.busy where waitsForOthers {
          try await context.clock.sleep(for: .seconds(2))
        } catch HTTPError.tooLarge(let limit) {
          throw DownloadError.tooLarge(limit: limit)
        }
      }
    }
    // A server that asks to wait is left alone: it may mean hours.
    let mayRetry = { @Sendable (error: any Error) in
      !(error is CancellationError) && error.allowsRetry && explained(error).retryDate == nil
    }
    let gated = network.map { once.gated(by: $0) } ?? once
    return Loader(of: gated) { [self] context, output in
      let folder = options.downloads.folder
      let size = { @Sendable in
        hasBegunAgain.withLock(\.self) ? 0 : DownloadFile.partSize(of: id, in: folder)
      }
      // Above the most that was there before, and only with what continues it, so that a server that
      // always breaks off at the same byte, or makes the file begin again, runs out of attempts.
      var goal = DownloadFile.partSize(of: id, in: folder) + Self.progressSize
      while true {
        let patient = gated.retrying(
          limit: attempts, backoff: Backoff(base: .seconds(2), maximum: .seconds(60))
        ) { [goal] in mayRetry($0) && size() < goal }
        do {
          return try await patient.run(context, output)
        } catch  where mayRetry(error) && !Task.isCancelled && size() >= goal {
          goal = size() + Self.progressSize
        } catch {
          // A download that another process is fetching has not failed; that process records the
          // result.
          let isBusy = error as? DownloadError == .busy
          if !isBusy, !(error is CancellationError), !(error is StoreError), !Task.isCancelled {
            // The path of a file that is only away, as on a disk that is not mounted, is kept.
            try await store.setState(.failed(UserMessage(error)), of: id, keepsFinished: true)
            changed()
          }
          throw error
        }
      }
    }
  }

  /// Pauses a download until it is queued again, or puts it back into the queue.
  ///
  /// A download that has finished meanwhile stays finished.
  ///
  /// - Throws: ``DownloadError/noSuchDownload`` or ``StoreError``.
  public func setPaused(_ isPaused: Bool, _ id: Download.ID) async throws {
    if try await !stored(id).download.hasFile {
      // A fetch may finish it between the two.
      try await store.setState(isPaused ? .paused : .waiting, of: id, keepsFinished: isPaused)
    }
    changed()
  }

  /// Removes a download; its file is deleted once the removal can no longer be undone.
  ///
  /// - Throws: ``DownloadError/noSuchDownload`` or ``StoreError``.
  public func removeDownload(_ id: Download.ID) async throws {
    guard try await store.setRemoved(now(), id) else { throw DownloadError.noSuchDownload }
    changed()
  }

  /// Restores a download that was just removed.
  ///
  /// - Throws: ``DownloadError/noSuchDownload`` or ``StoreError``.
  public func restoreDownload(_ id: Download.ID) async throws {
    guard try await store.setRemoved(nil, id) else { throw DownloadError.noSuchDownload }
    changed()
  }

  /// Swaps a download with the one that many places after it in the queue as it is stored now, if
  /// there is one.
  ///
  /// - Throws: ``StoreError``.
  public func moveDownload(_ id: Download.ID, by step: Int) async throws {
    if try await store.move(id, by: step) { changed() }
  }

  /// Records that a download is being played.
  ///
  /// - Returns: the date that was recorded.
  @discardableResult
  public func notePlaying(_ id: Download.ID) async throws -> Date {
    let date = now()
    try await store.setPlayed(date, of: id)
    changed()
    return date
  }

  /// Undoes ``notePlaying(_:)``, because the player failed; where it stopped stays as it is.
  ///
  /// Does nothing if the download was marked or played again meanwhile.
  ///
  /// - Parameters:
  ///   - before: the download before that call.
  ///   - date: what that call returned.
  /// - Throws: ``StoreError``.
  public func takeBackPlaying(_ before: Download, notedAt date: Date) async throws {
    if try await store.setPlayed(before.played, of: before.id, insteadOf: date) { changed() }
  }

  /// Creates the folder in which the player of a download stores its position.
  ///
  /// - Parameter start: where to start, in seconds; written into the player's files there. Nil for
  ///   where it stopped.
  /// - Throws: ``DownloadError/cannotWrite(path:reason:)``.
  public func positionsFolder(of id: Download.ID, start: Int? = nil) async throws -> String {
    let position = PlayerPosition(of: id, in: options.downloads.positions)
    try position.prepare()
    if let start { position.move(to: start) }
    return position.folder
  }

  /// Marks a download as played to its end, or as not played; in both cases the player starts from
  /// the beginning.
  ///
  /// - Throws: ``DownloadError/noSuchDownload`` or ``StoreError``.
  public func setPlayed(_ isPlayed: Bool, _ id: Download.ID) async throws {
    try await setPlayed(
      isPlayed ? now() : nil, of: id, moving: { $0.setAside() }, back: { $0.bringBack() })
  }

  /// Undoes the last call of ``setPlayed(_:_:)``: the player continues where it had stopped.
  ///
  /// - Parameter before: the download before that call.
  /// - Throws: ``DownloadError/noSuchDownload`` or ``StoreError``.
  public func takeBackPlayed(_ before: Download) async throws {
    try await setPlayed(
      before.played, of: before.id, moving: { before.position != nil && $0.bringBack() },
      back: { $0.setAside() })
  }

  /// Writes when a download was played, and moves its position, or neither.
  private func setPlayed(
    _ played: Date?, of id: Download.ID, moving move: (PlayerPosition) -> Bool,
    back: (PlayerPosition) -> Bool
  ) async throws {
    let position = PlayerPosition(of: id, in: options.downloads.positions)
    // Moved first: a list that sees the new date keeps the position that it finds beside it.
    let hasMoved = move(position)
    do {
      guard try await store.setPlayed(played, of: id) else { throw DownloadError.noSuchDownload }
    } catch {
      if hasMoved { _ = back(position) }
      throw error
    }
    changed()
  }

  /// Deletes removed downloads and their files for good.
  ///
  /// - Parameter ids: the downloads to delete, of which those that are not removed are skipped; nil
  ///   for all that were removed at least ten minutes ago.
  public func purgeDownloads(_ ids: [Download.ID]? = nil) async throws {
    let folder = options.downloads.folder
    for (id, path) in try await store.purgeDownloads(
      ids, removedBefore: now().addingTimeInterval(ids == nil ? -Self.downloadGrace : 0))
    {
      DownloadFile.remove(id, in: folder)
      PlayerPosition(of: id, in: options.downloads.positions).clear()
      if let path { unlink(path) }
    }
  }

  // MARK: Fetching

  private static let downloadGrace: TimeInterval = 600
  /// How many bytes more than ever before are progress.
  private static let progressSize = 1_000_000
  /// How many bytes stay free on the disk.
  private static let reserve = 50_000_000
  /// After how many bytes the free space is compared again: other programs use it, too.
  private static let roomInterval = 1_000_000

  /// - Parameter didAnswer: called with whether the server makes the partial file begin again.
  private func fetch(
    _ id: Download.ID, _ context: LoadContext, didAnswer: (_ beginsAgain: Bool) -> Void
  ) async throws -> Download {
    let found = try await stored(id).download
    if found.hasFile { return found }
    let options = options.downloads
    let file = try DownloadFile(of: id, in: options.folder)
    // Keeps the download locked until its new state is stored.
    defer { withExtendedLifetime(file) {} }
    // Read again: until it was locked, another process could finish it.
    var stored = try await stored(id)
    let hasPart = file.size > 0
    if stored.download.hasFile {
      file.remove()
      return stored.download
    }
    if stored.version == nil { try file.clear() }
    let stream = try await answer(for: stored, from: file.size, of: stored.version, options)
    didAnswer(hasPart && !stream.isRest)
    // In this order: a partial file must never be taken for part of another file.
    if !stream.isRest { try file.clear() }
    try await store.setVersion(stream.version, of: id)

    // Compared before the sizes are added, which could overflow: a server may send any number.
    let isTooLarge = stream.expected.map { $0 > options.sizeLimit - file.size } ?? false
    let expected = isTooLarge ? nil : stream.expected.map { $0 + file.size }
    let start = file.size
    var nextCheck = start
    /// Checks that the rest of the file fits onto the disk, as far as its size is known.
    func checkRoom(for bytes: Int) throws {
      let rest = expected.map { $0 - file.size } ?? bytes
      guard rest > 0, file.size >= nextCheck, let room = options.room(file) else { return }
      nextCheck = file.size + Self.roomInterval
      let others = downloadRests.withLock { rests in
        rests[id] = rest
        // Only at the beginning: otherwise two of which only one fits would both end.
        return file.size > start ? 0 : rests.values.reduce(0, +) - rest
      }
      if rest > room - Self.reserve - others {
        throw DownloadError.diskFull(folder: options.folder)
      }
    }
    defer { downloadRests.withLock { $0[id] = nil } }
    var percent = -1
    func append(_ bytes: [UInt8]) throws {
      try checkRoom(for: bytes.count)
      try file.append(bytes)
      if let expected, file.size > expected { throw DownloadError.tooMuchOfFile }
      guard file.size <= options.sizeLimit else {
        throw DownloadError.tooLarge(limit: options.sizeLimit)
      }
      // Only whole percents: a file arrives in thousands of pieces.
      if let expected, expected > 0, file.size * 100 / expected > percent {
        percent = file.size * 100 / expected
        context.report(fraction: Double(file.size) / Double(expected))
      }
    }
    do {
      if isTooLarge { throw DownloadError.tooLarge(limit: options.sizeLimit) }
      try checkRoom(for: 1)
      try append(stream.beginning)
      if let body = stream.body { for try await bytes in body { try append(bytes) } }
    } catch  where Task.isCancelled && file.size == expected {
      // The user stopped it when nothing was left to fetch.
    } catch  where Self.isUseless(after: error, of: stream.version) {
      // In this order: a partial file must never be taken for part of another file.
      try await store.setVersion(nil, of: id)
      try file.clear()
      throw error
    }
    if let expected, file.size < expected { throw HTTPError.truncated }
    let name = [stored.download.feedTitle, stored.download.title].map(FileName.safe)
      .joined(separator: " - ")
    let path = try file.finish(as: name, stored.download.enclosure.fileEnding)
    stored.download.state = .done(path: path)
    stored.download.received = file.size
    // Otherwise the file would belong to no download, and would be fetched again.
    let isStored: Bool
    do {
      isStored = try await uncancelled { [store, state = stored.download.state] in
        try await store.setState(state, of: id)
      }
    } catch {
      file.takeBack(path)
      throw error
    }
    guard isStored else {
      unlink(path)
      throw DownloadError.noSuchDownload
    }
    changed()
    return stored.download
  }

  /// Whether a partial file takes room for nothing after an error: it is too large, or cannot be
  /// continued.
  private static func isUseless(after error: any Error, of version: FileVersion?) -> Bool {
    if case HTTPError.tooLarge = error { return true }
    return switch error as? DownloadError {
    case .tooMuchOfFile, .tooLarge: true
    case .diskFull: version == nil
    default: false
    }
  }

  private func stored(_ id: Download.ID) async throws -> StoredDownload {
    guard let stored = try await store.download(id) else { throw DownloadError.noSuchDownload }
    return stored
  }
}
