import HTTP
import Limits
public import Loading

extension Library {
  /// Loads the chapters of an article's episode: those in its feed, or else those in the file that
  /// the feed names, which is fetched if it is not stored yet.
  public func chapters(of id: Article.ID) -> Loader<[Chapter]> {
    Loader { [self] _ in try await fetchedChapters(of: id) }
  }

  /// Returns the chapters that ``chapters(of:)`` loads; for commands.
  ///
  /// - Throws: ``EpisodeFileError``, ``StatusError``, `HTTPError`, ``LibraryError/articleGone``,
  ///   ``StoreError`` or `CancellationError`.
  public func fetchedChapters(of id: Article.ID) async throws -> [Chapter] {
    let (_, text) = try await text(of: id)
    let own = FeedChapters.chapters(in: text.html)
    guard own.isEmpty else { return own }
    guard let attachment = text.attachments.first(where: { $0.kind == .chapters }) else {
      throw EpisodeFileError.none(.chapters)
    }
    return try await episodeFile(
      .chapters, at: attachment.address, accept: "application/json+chapters, */*;q=0.5", of: id,
      text
    ) { file, bytes in
      let budget = Budget(bytes: bytes.count)
      let chapters = try ChapterFile.chapters(bytes, address: file.base, budget: budget)
      guard !chapters.isEmpty else { throw EpisodeFileError.empty(.chapters) }
      return chapters
    }
  }

  /// Returns the transcript of an article's episode, if possible in the user's language and in the
  /// most detailed format; fetches it if it is not stored yet.
  ///
  /// - Throws: the errors of ``fetchedChapters(of:)``.
  public func transcript(of id: Article.ID) async throws -> Transcript {
    let (article, text) = try await text(of: id)
    guard
      let (attachment, format) = TranscriptFormat.best(
        of: text.attachments, languages: options.languages)
    else { throw EpisodeFileError.none(.transcript) }
    return try await episodeFile(
      .transcript, at: attachment.address, accept: format.accept, of: id, text
    ) { file, bytes in
      var cues: [Transcript.Cue] = []
      let document: Document
      if format == .html || format == .plain && TranscriptFormat.isPage(bytes) {
        document = HTMLRenderer.document(html: file.text, base: file.base)
      } else {
        let budget = Budget(bytes: bytes.count)
        cues = try TranscriptReader.cues(bytes, format, budget: budget)
        document = Transcript.document(of: cues)
      }
      guard !document.blocks.isEmpty else { throw EpisodeFileError.empty(.transcript) }
      return Transcript(
        article: article, address: file.base, language: attachment.transcriptParts.language,
        cues: cues, document: document, privateHost: file.privateHost)
    }
  }

  /// Reads a stored file, or fetches it and stores it if it can be parsed.
  private func episodeFile<Value: Sendable>(
    _ kind: EpisodeFileError.Kind, at address: String, accept: String, of id: Article.ID,
    _ text: StoredText,
    read: @escaping @Sendable (EpisodeFile, _ bytes: [UInt8]) throws -> Value
  ) async throws -> Value {
    let stored = id.isBundled ? nil : try await store.episodeFile(kind, of: id)
    let isKept = stored?.address == address
    let file: EpisodeFile
    if let stored, isKept {
      file = stored
    } else {
      file = try await fetchedFile(kind, at: address, accept: accept, text)
    }
    let result = await apart {
      Result { try read(file, Array(file.text.utf8)) }
    }
    try Task.checkCancellation()
    let value: Value
    do {
      value = try result.get()
    } catch let error as FeedError {
      throw EpisodeFileError.unreadable(kind, error)
    }
    if !isKept, !id.isBundled { try await store.setEpisodeFile(file, kind, of: id, at: now()) }
    return value
  }

  private func fetchedFile(
    _ kind: EpisodeFileError.Kind, at address: String, accept: String, _ text: StoredText
  ) async throws -> EpisodeFile {
    // A public feed must not make the program fetch from a private network.
    let origin = RequestOrigin(privateHost: text.privateHost)
    let (head, bytes) = try await fetchText(
      of: "the \(kind.rawValue)", at: address, accept: accept, limit: Transcript.sizeLimit,
      origin: origin)
    return EpisodeFile(
      address: address, base: head.finalURL, text: String(outside: bytes),
      privateHost: head.contentOrigin.privateHost)
  }
}
