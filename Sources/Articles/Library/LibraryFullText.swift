import Foundation
import HTTP
import Limits
import Loading

/// The stored text of an article's web page.
struct FullText: Sendable, Hashable {
  let html: String
  let base: String?
  /// The private-network host that it came from; nil for the public network.
  let privateHost: String?
}

/// Why an article has no full text.
public enum FullTextError: MessageError, Sendable, Hashable {
  /// The feed gives no link.
  case noAddress
  /// The answer has this content type, which is not a web page.
  case notAPage(String)
  /// Nothing on the page looks like an article, or matches the configured selectors.
  case nothingFound

  public var message: UserMessage {
    switch self {
    case .noAddress:
      UserMessage(
        what: "The article has no web page.", advice: "Its feed's own text is all there is.",
        isLasting: true)
    case .notAPage(let type):
      UserMessage(
        what: "The article's address leads to no web page.", advice: "Open it in the browser.",
        detail: type, isLasting: true)
    case .nothingFound:
      UserMessage(
        what: "No article was found on the web page.", advice: "Open it in the browser.")
    }
  }
}

extension Library {
  /// Fetches the full text of an article from its web page and stores it, even if one is already
  /// stored.
  ///
  /// - Parameters:
  ///   - isUrgent: whether the user is waiting for it.
  ///   - isAutomatic: whether the user did not ask for it. Then a page with clearly less text than
  ///     the feed, such as only a question about cookies, is remembered as such and not stored.
  /// - Returns: the full text; nil for such a page.
  /// - Throws: ``FullTextError``, ``StatusError``, `HTTPError`, ``ProgramError``, ``LibraryError/articleGone``,
  ///   ``StoreError`` or `CancellationError`.
  @discardableResult
  func fetchFullText(
    of id: Article.ID, isUrgent: Bool = true, isAutomatic: Bool = false
  ) async throws -> FullText? {
    let (article, text) = try await text(of: id)
    guard !id.isBundled, let link = article.link else { throw FullTextError.noAddress }
    do {
      let origin = RequestOrigin(privateHost: text.privateHost)
      let full = try await fullText(
        at: link, origin: origin, title: article.title, isUrgent: isUrgent)
      if isAutomatic, await rendered({ Self.isClearlyShorter(full.html, than: text.html) }) {
        try await store.setNoFullText(of: id, shorterPage: link, at: now())
        return nil
      }
      guard try await store.setFullText(full, of: id, at: now()) else {
        throw LibraryError.articleGone
      }
      changed()
      return full
    } catch {
      // The failure is recorded so that reloads do not try again, unless it may pass.
      let isOver = !(error is CancellationError) && !(error is StoreError) && !Task.isCancelled
      if isOver, !Self.mayPass(error) { try await store.setNoFullText(of: id, at: now()) }
      throw error
    }
  }

  /// Returns an article with the text of its page, which is fetched if it is not stored yet.
  ///
  /// - Throws: the errors of ``document(of:from:)``.
  public func fullDocument(of id: Article.ID) async throws -> ArticleDocument {
    let (article, text) = try await text(of: id)
    guard let full = text.full else { return try await fetchedDocument(of: id) }
    return await document(of: article, text, full)
  }

  /// Whether a page has less than half as much text as the feed.
  private static func isClearlyShorter(_ page: String, than own: String) -> Bool {
    func length(_ html: String) -> Int {
      HTMLText.text(html, limit: SearchText.lengthLimit).utf8.count
    }
    return 2 * length(page) < length(own)
  }

  /// Fetches the text of an article's page, and returns the article with it.
  ///
  /// - Parameter isAutomatic: as in ``fetchFullText(of:isUrgent:isAutomatic:)``; the article may then
  ///   be returned with its feed's text.
  func fetchedDocument(
    of id: Article.ID, isAutomatic: Bool = false
  ) async throws -> ArticleDocument {
    let full = try await fetchFullText(of: id, isAutomatic: isAutomatic)
    // Storing the full text has changed the article's reading time, so read the article again.
    let (article, text) = try await text(of: id)
    let position = full == nil ? try await store.position(of: id) : nil
    return await document(of: article, text, full, position: position)
  }

  /// Fetches the full text of unread articles of the last week whose feeds are set to full text: of
  /// the newest 200 whose servers are not left alone.
  ///
  /// A page that could not be fetched before is not tried again. A server that is too busy, or gives
  /// no answer, is left alone for a while, and the page counts as not tried, unless the network is
  /// seen to work after that. Once three servers in a row give no answer, the others are left to
  /// the next call.
  ///
  /// - Returns: how many full texts were added.
  /// - Throws: ``StoreError`` or `CancellationError`.
  @discardableResult
  public func fetchFullTexts() async throws -> Int {
    // Nothing could be stored, which the reload itself has reported.
    guard !store.isReadOnly else { return 0 }
    let since = now().addingTimeInterval(-Self.lateness)
    let pages = try await store.articlesWithoutFullText(
      isForAll: options.fullText.isForAll, since: since, limit: Self.mostListed)
    guard !pages.isEmpty else { return 0 }
    return try await withThrowingTaskGroup(of: PageOutcome.self) { group in
      var (count, started, running) = (0, 0, 0)
      // The pages that got no answer since the last answer of any server.
      var silent: [(id: Article.ID, server: String)] = []
      func note(_ outcome: PageOutcome) async throws {
        running -= 1
        switch outcome {
        case .noAnswer(let id, let server):
          silent.append((id, server))
          return
        case .added: count += 1
        case .notAdded: break
        }
        // The network works: it was the fault of those pages.
        for page in silent { try await store.setNoFullText(of: page.id, at: now()) }
        silent = []
      }
      for (id, link) in pages {
        if running == Self.pagesAtOnce, let outcome = try await group.next() {
          try await note(outcome)
        }
        guard started < Self.mostAtOnce, Set(silent.map(\.server)).count < 3 else { break }
        guard pageServers.end(of: link, at: now()) == nil else { continue }
        (started, running) = (started + 1, running + 1)
        group.addTask { [self] in try await fetchPage(of: id, at: link) }
      }
      for try await outcome in group { try await note(outcome) }
      return count
    }
  }

  /// What became of a page that was fetched automatically.
  private enum PageOutcome: Sendable {
    case added, notAdded
    case noAnswer(Article.ID, server: String)
  }

  private func fetchPage(of id: Article.ID, at link: String) async throws -> PageOutcome {
    do {
      let full = try await fetchFullText(of: id, isUrgent: false, isAutomatic: true)
      return full == nil ? .notAdded : .added
    } catch {
      if error is StoreError || error is CancellationError { throw error }
      guard Self.mayPass(error) else { return .notAdded }
      let date = now()
      let pauseEnd = date.addingTimeInterval(Self.serverPause)
      let status = error as? StatusError
      pageServers.note(link, until: max(status?.retryDate ?? pauseEnd, pauseEnd), at: date)
      return status == nil ? .noAnswer(id, server: BusyServers.server(of: link)) : .notAdded
    }
  }

  /// Whether a page may well be there later: its server is too busy, or nothing has answered, as in
  /// a network whose users have to log in first.
  private static func mayPass(_ error: any Error) -> Bool {
    switch error {
    case let error as StatusError: [429, 503].contains(error.status)
    case HTTPError.timedOut, HTTPError.certificate, HTTPError.cannotSecure, HTTPError.emptyAnswer,
      HTTPError.truncated:
      true
    case let error as HTTPError: error.isOfNetwork
    default: false
    }
  }

  /// How long ago an article may have arrived, in seconds; the pages of older ones are fetched when
  /// they are opened.
  private static let lateness: TimeInterval = 7 * 86_400
  private static let mostAtOnce = 200
  /// How many articles are looked at for that: those of a server that is left alone do not count.
  private static let mostListed = 10_000
  /// For how many seconds a server is left alone at least.
  private static let serverPause: TimeInterval = 900
  private static let pagesAtOnce = 4

  func isFullTextWanted(_ text: StoredText, of article: Article) -> Bool {
    !article.isBundled && article.link != nil && !text.isLongerThanPage
      && text.wantsFull ?? options.fullText.isForAll
  }

  /// Returns an article with the text of its page, or with that of its feed if `full` is nil.
  func document(
    of article: Article, _ text: StoredText, _ full: FullText?, position: ReadingPosition? = nil
  ) async -> ArticleDocument {
    guard let full else {
      return ArticleDocument(
        article: article.timed(by: text), document: await rendered { Document(text) },
        position: position, privateHost: text.privateHost, extras: text.extras)
    }
    return ArticleDocument(
      article: article,
      document: await rendered { HTMLRenderer.document(html: full.html, base: full.base) },
      position: position, privateHost: full.privateHost, textSource: .page, extras: text.extras)
  }

  // MARK: Fetching

  /// Fetches the text of a web page or a file, in UTF-8.
  ///
  /// - Parameter thing: what it is, for a ``StatusError``.
  func fetchText(
    of thing: String, at address: String, accept: String, limit: Int, origin: RequestOrigin,
    isUrgent: Bool = true
  ) async throws -> (head: HTTPResponseHead, text: [UInt8]) {
    var request = HTTPRequest(url: address, limits: options.limits, origin: origin)
    request.limits.maximumBytes = limit
    request.headers.append("Accept", accept)
    request.isUrgent = isUrgent
    let response = try await client.send(request)
    guard 200...299 ~= response.status else {
      throw StatusError(of: thing, response.head, now: now())
    }
    let charset = WebSource.charset(response.headers["Content-Type"] ?? "")
    let text = await rendered { PageSource.utf8(response.body, charset: charset) }
    return (response.head, text)
  }

  private func fullText(
    at link: String, origin: RequestOrigin, title: String, isUrgent: Bool
  ) async throws -> FullText {
    let (head, text) = try await fetchText(
      of: "the page of the article", at: link,
      accept: "text/html, application/xhtml+xml;q=0.9, */*;q=0.5",
      limit: ArticleExtractor.sizeLimit, origin: origin, isUrgent: isUrgent)
    let type = head.headers["Content-Type"] ?? ""
    let kind = type.prefix { $0 != ";" }.lowercased().trimmingCharacters(in: .whitespaces)
    guard kind.isEmpty || Attachment.isPage(kind) else {
      throw FullTextError.notAPage(UserMessage.cleaned(String(kind)))
    }
    let address = head.finalURL
    let site = options.fullText.site(of: address)
    var html = text
    if case .program(let command) = site?.method {
      html = try await programs.output(
        of: command, input: html, limits: ProgramLimits(time: .seconds(30), size: 8 << 20))
    }
    // Not on the threads for articles: a slow page must not keep other articles from being opened.
    let page = html
    let found = await apart {
      let text = String(outside: page)
      switch site?.method {
      case .selectors(let selected, let removed):
        return ArticleExtractor.text(
          of: text, address: address, selecting: selected, removing: removed)
      case .program:
        return text.utf8.allSatisfy(isWhiteSpace) ? nil : ExtractedText(html: text, base: address)
      case nil: return ArticleExtractor.text(of: text, address: address, title: title)
      }
    }
    try Task.checkCancellation()
    guard let found else { throw FullTextError.nothingFound }
    return FullText(
      html: found.html, base: found.base, privateHost: head.contentOrigin.privateHost)
  }
}
