import Foundation
import HTTP
public import Loading

extension Library {
  /// What is enclosed with articles, in the order of the queue.
  ///
  /// It fetches nothing: ``fetchDownload(_:)`` does.
  public func downloads() -> Loader<[Download]> {
    Loader { [self] _ in try await storedDownloads() }
  }

  /// The same without a loader, for commands.
  ///
  /// - Throws: ``StoreError``.
  public func storedDownloads() async throws -> [Download] {
    let folder = options.downloads.folder
    let positions = options.downloads.positions
    return try await store.downloads().map(\.download).map { download in
      var download = download
      if case .done(let path) = download.state {
        var status = stat()
        if lstat(path, &status) == 0 {
          download.received = Int(status.st_size)
          download.position = PlayerPosition(of: download.id, in: positions).seconds
        } else {
          download.state = .failed(DownloadError.fileGone(path: path).message)
        }
      } else {
        download.received = DownloadFile.partSize(of: download.id, in: folder)
      }
      return download
    }
  }

  /// Puts what is enclosed with an article into the queue.
  ///
  /// - Throws: ``DownloadError``, ``LibraryError`` or ``StoreError``.
  @discardableResult
  public func queueDownload(of id: Article.ID) async throws -> Download.ID {
    let (article, text) = try await text(of: id)
    guard let enclosure = text.enclosure, !id.isBundled else {
      throw DownloadError.nothingEnclosed
    }
    let download = try await store.enqueue(enclosure, of: article, privateHost: text.privateHost)
    if case .done(let path)? = try await store.download(download)?.download.state,
      access(path, F_OK) != 0
    {
      try await store.setState(.waiting, of: download)
    }
    changed()
    return download
  }

  /// Fetches a file, or the rest of one, and keeps in the store what came of it.
  ///
  /// What is on the disk is not asked for again, neither by a retry nor in another run. Cancelling it
  /// keeps what is there.
  ///
  /// - Parameters:
  ///   - attempts: how often it is tried in all.
  ///   - network: closed while nothing can be fetched.
  public func fetchDownload(
    _ id: Download.ID, attempts: Int = 3, network: LoadGate? = nil
  ) -> Loader<Download> {
    let once = Loader { [self] context in
      do {
        return try await fetch(id, context)
      } catch HTTPError.tooLarge(let limit) {
        throw DownloadError.tooLarge(limit: limit)
      }
    }
    let patient = (network.map { once.gated(by: $0) } ?? once)
      .retrying(limit: attempts, backoff: Backoff(base: .seconds(2), maximum: .seconds(60)))
    return Loader(of: patient) { [self] context, output in
      do {
        return try await patient.run(context, output)
      } catch {
        // What another fetch is at work on has not failed: it says itself what comes of it.
        let isBusy = error as? DownloadError == .busy
        if !isBusy, !(error is CancellationError), !(error is StoreError), !Task.isCancelled {
          try await store.setState(.failed(UserMessage(error)), of: id)
          changed()
        }
        throw error
      }
    }
  }

  /// Stops a download until it is queued again, or lets it wait for its turn.
  ///
  /// - Throws: ``DownloadError/noSuchDownload`` or ``StoreError``.
  public func setPaused(_ isPaused: Bool, _ id: Download.ID) async throws {
    guard try await store.setState(isPaused ? .paused : .waiting, of: id) else {
      throw DownloadError.noSuchDownload
    }
    changed()
  }

  /// Removes a download; its file is deleted when that cannot be undone any more.
  ///
  /// - Throws: ``DownloadError/noSuchDownload`` or ``StoreError``.
  public func removeDownload(_ id: Download.ID) async throws {
    guard try await store.setRemoved(now(), id) else { throw DownloadError.noSuchDownload }
    changed()
  }

  /// Brings back what was removed a moment ago.
  ///
  /// - Throws: ``DownloadError/noSuchDownload`` or ``StoreError``.
  public func restoreDownload(_ id: Download.ID) async throws {
    guard try await store.setRemoved(nil, id) else { throw DownloadError.noSuchDownload }
    changed()
  }

  /// Exchanges the places of two downloads in the queue.
  ///
  /// - Throws: ``StoreError``.
  public func exchangeDownloads(_ one: Download.ID, _ other: Download.ID) async throws {
    try await store.exchange(one, other)
    changed()
  }

  /// Remembers that a download is being played.
  ///
  /// - Throws: ``StoreError``.
  public func notePlaying(_ id: Download.ID) async throws {
    try await store.setPlayed(now(), of: id)
    changed()
  }

  /// Makes the folder in which the player of a download may leave where it stops.
  ///
  /// - Parameter start: where it is to begin, in seconds: what it has left in the folder says that then.
  ///   Nil for where it has stopped.
  /// - Throws: ``DownloadError/cannotWrite(path:reason:)``.
  public func positionsFolder(of id: Download.ID, start: Int? = nil) async throws -> String {
    let position = PlayerPosition(of: id, in: options.downloads.positions)
    try position.prepare()
    if let start { position.move(to: start) }
    return position.folder
  }

  /// Marks a download as played to its end, or as not played; either way the player begins it at its
  /// beginning.
  ///
  /// - Throws: ``DownloadError/noSuchDownload`` or ``StoreError``.
  public func setPlayed(_ isPlayed: Bool, _ id: Download.ID) async throws {
    guard try await store.setPlayed(isPlayed ? now() : nil, of: id) else {
      throw DownloadError.noSuchDownload
    }
    PlayerPosition(of: id, in: options.downloads.positions).setAside()
    changed()
  }

  /// Takes the last of these back: the player goes on where it had stopped.
  ///
  /// - Parameter before: the download as it was before.
  /// - Throws: ``DownloadError/noSuchDownload`` or ``StoreError``.
  public func takeBackPlayed(_ before: Download) async throws {
    guard try await store.setPlayed(before.played, of: before.id) else {
      throw DownloadError.noSuchDownload
    }
    if before.position != nil {
      PlayerPosition(of: before.id, in: options.downloads.positions).bringBack()
    }
    changed()
  }

  /// Deletes the files of downloads that were removed: of some of them, or of all for which that is long
  /// enough ago that nobody wants them back.
  ///
  /// - Throws: ``StoreError``.
  public func purgeDownloads(_ ids: [Download.ID]? = nil) async throws {
    let folder = options.downloads.folder
    for (id, path) in try await store.purgeDownloads(
      ids, removedBefore: now().addingTimeInterval(ids == nil ? -Self.downloadGrace : 0))
    {
      unlink(DownloadFile.part(of: id, in: folder))
      PlayerPosition(of: id, in: options.downloads.positions).clear()
      if let path { unlink(path) }
    }
  }

  // MARK: Fetching

  private static let downloadGrace: TimeInterval = 600
  /// So much stays free on the disk.
  private static let reserve = 50_000_000

  private func fetch(_ id: Download.ID, _ context: LoadContext) async throws -> Download {
    guard var stored = try await store.download(id) else { throw DownloadError.noSuchDownload }
    if let path = stored.download.path, access(path, F_OK) == 0 { return stored.download }
    let options = options.downloads
    let file = try DownloadFile(of: id, in: options.folder)
    if stored.validator == nil { try file.clear() }
    let stream = try await answer(for: stored, from: file.size, options)
    // In this order: a part must never be taken for one of another file.
    if !stream.isRest { try file.clear() }
    try await store.setValidator(stream.validator, of: id)

    // Compared before it is added: a server may say any number.
    if let rest = stream.expected, rest > options.sizeLimit - file.size {
      throw DownloadError.tooLarge(limit: options.sizeLimit)
    }
    let expected = stream.expected.map { $0 + file.size }
    if let room = file.room, let rest = stream.expected, rest > room - Self.reserve {
      throw DownloadError.diskFull(folder: options.folder)
    }
    var percent = -1
    for try await bytes in stream.body {
      try file.append(bytes)
      guard file.size <= options.sizeLimit else {
        throw DownloadError.tooLarge(limit: options.sizeLimit)
      }
      // Not for each of the thousands of pieces that a file comes in.
      if let expected, expected > 0, file.size * 100 / expected > percent {
        percent = file.size * 100 / expected
        context.report(fraction: Double(file.size) / Double(expected))
      }
    }
    if let expected, file.size < expected { throw HTTPError.truncated }
    let name = [stored.download.feedTitle, stored.download.title].map(FileName.safe)
      .joined(separator: " - ")
    let path = try file.finish(as: name, stored.download.enclosure.fileEnding)
    stored.download.state = .done(path: path)
    stored.download.received = file.size
    guard try await store.setState(stored.download.state, of: id) else {
      unlink(path)
      throw DownloadError.noSuchDownload
    }
    changed()
    return stored.download
  }

  /// What the server sends of a file.
  private struct Answer {
    let body: HTTPStream
    /// Whether it is what follows what is on the disk.
    let isRest: Bool
    /// How much is to come, in bytes.
    let expected: Int?
    let validator: String?
  }

  private func answer(
    for stored: StoredDownload, from start: Int, _ downloads: DownloadOptions
  ) async throws -> Answer {
    var request = HTTPRequest(
      url: stored.download.enclosure.address, limits: options.limits, origin: stored.origin)
    request.limits.maximumBytes = downloads.sizeLimit
    request.limits.total = .seconds(86_400)
    // A part of a compressed answer is no part of the file.
    request.headers["Accept-Encoding"] = "identity"
    if start > 0, let validator = stored.validator {
      request.headers["Range"] = "bytes=\(start)-"
      request.headers["If-Range"] = validator
    }
    let stream = try await client.stream(request)
    let head = stream.head
    let isRest =
      head.status == 206 && start > 0 && head.rangeStart == start
      && (head.validator == nil || head.validator == stored.validator)
    if [206, 416].contains(head.status), start > 0, !isRest {
      // The file has changed, or the part is all of it, or something else was sent: what is there cannot be
      // relied on.
      try await store.setValidator(nil, of: stored.download.id)
      var again = stored
      again.validator = nil
      return try await answer(for: again, from: 0, downloads)
    }
    guard isRest || head.status == 200 else { throw DownloadError.status(head.status) }
    return Answer(
      body: stream, isRest: isRest, expected: head.length,
      validator: head.validator ?? (isRest ? stored.validator : nil))
  }
}

extension HTTPResponseHead {
  /// Where the part begins that was sent; nil where that is not said.
  fileprivate var rangeStart: Int? {
    guard let range = headers["Content-Range"], range.lowercased().hasPrefix("bytes ") else {
      return nil
    }
    return Int(range.dropFirst(6).prefix { $0 != "-" })
  }

  /// How many bytes the body has; nil where that is not said, as of one that is unpacked on its way.
  fileprivate var length: Int? {
    guard headers["Content-Encoding"] == nil else { return nil }
    return headers["Content-Length"].flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
  }

  /// By what the rest of the file can be asked for later.
  fileprivate var validator: String? {
    guard headers["Content-Encoding"] == nil else { return nil }
    if let tag = headers["ETag"], tag.utf8.count < 200, tag.hasPrefix("\"") { return tag }
    return headers["Last-Modified"].flatMap { $0.utf8.count < 100 ? $0 : nil }
  }
}
