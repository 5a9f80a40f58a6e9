import Foundation
import HTTP

/// A server with the former Google Reader API: FreshRSS, Miniflux, BazQux, The Old Reader.
///
/// The servers differ; this code uses only what all of them support.
struct GoogleReader: SyncServer {
  let connection: SyncConnection

  let articlesPerRequest = 150
  let requestsAtOnce = 4
  let marksPerRequest = 200
  /// The page sizes for lists of ids, one for each pass; nearly every list has a single page and
  /// needs one pass.
  static let idsPerPage = [10_000, 7_919, 6_301, 5_003]
  /// The most pages of one list: some servers return at most a thousand ids per page.
  static let pageLimit = 1_000

  // MARK: Feeds

  func logIn() async throws {
    await connection.session.forget()
    _ = try await secrets
  }

  func feeds() async throws -> [RemoteFeed] {
    try await get("subscription/list").subscriptions()
  }

  func subscribe(to address: String, title: String?, folder: String?) async throws -> String {
    let bytes: [UInt8]
    do {
      bytes = try await post("subscription/quickadd", [("quickadd", address)])
    } catch SyncError.refused(500, let detail, _) where detail.contains("error_message") {
      // Miniflux's answer for a feed that it cannot fetch or already has.
      throw SyncError.feedRefused(ServerAnswer.errorMessage(in: detail) ?? detail)
    }
    let answer = ServerAnswer(bytes, of: "subscription/quickadd")
    guard let id = try answer.addedFeed(), !id.isEmpty else {
      throw SyncError.feedRefused("The server does not add \(UserMessage.cleaned(address)).")
    }
    if title != nil || folder != nil {
      try await edit(id, title: title, folder: folder.map { FolderMove(from: nil, to: $0) })
    }
    return id
  }

  func edit(_ feed: String, title: String?, folder: FolderMove?) async throws {
    // Miniflux only reads to which folder a feed moves, and says OK to everything.
    if let folder, folder.to == nil, try await isMiniflux { throw SyncError.folderRequired }
    var form = [("ac", "edit"), ("s", feed)]
    if let title { form.append(("t", title)) }
    if let label = folder?.to { form.append(("a", Self.labelPrefix + label)) }
    if let label = folder?.from { form.append(("r", Self.labelPrefix + label)) }
    _ = try await post("subscription/edit", form)
  }

  func unsubscribe(from feed: String) async throws {
    _ = try await post("subscription/edit", [("ac", "unsubscribe"), ("s", feed)])
  }

  // MARK: Articles

  func labels() async throws -> [String]? {
    // Miniflux has no labels, so the request is unnecessary.
    guard try await !isMiniflux else { return nil }
    let labels = try await get("tag/list").labels()
    return labels.isEmpty ? nil : labels
  }

  func articles(with mark: RemoteMark) async throws -> Set<RemoteID> {
    var query = [("s", Self.stream(mark))]
    if mark == .unread { query.append(("xt", Self.state + "read")) }
    // An article can be missed at a page boundary: if marks change meanwhile on a server that pages
    // by offset, or on Miniflux among articles with the same date, whose order differs from page to
    // page. A missed article would count as read, so the list is fetched with different page sizes
    // until a pass finds nothing new.
    var all: Set<RemoteID> = []
    for (reading, size) in Self.idsPerPage.enumerated() {
      let (ids, pages) = try await ids(query, pageSize: size)
      if pages == 1 && reading == 0 { return ids }
      if reading > 0, ids.isSubset(of: all) { return all }
      all.formUnion(ids)
    }
    throw SyncError.badAnswer(detail: "The list of articles is another one each time.")
  }

  func newestArticles(of feed: String, limit: Int) async throws -> Set<RemoteID> {
    var ids: Set<RemoteID> = []
    _ = try await get("stream/items/ids", [("s", feed), ("n", String(limit))])
      .references(into: &ids)
    return ids
  }

  private func ids(
    _ query: [(String, String)], pageSize: Int
  ) async throws -> (Set<RemoteID>, pages: Int) {
    var ids: Set<RemoteID> = []
    var next: String?
    var pages = 0
    repeat {
      let page = [("n", String(pageSize))] + (next.map { [("c", $0)] } ?? [])
      let count = ids.count
      let continuation = try await get("stream/items/ids", query + page).references(into: &ids)
      pages += 1
      guard pages <= Self.pageLimit else {
        throw SyncError.badAnswer(detail: "The list of articles has more than \(pages - 1) pages.")
      }
      // A page without new ids would lead to itself forever.
      next = continuation == next || ids.count == count ? nil : continuation
    } while next != nil
    return (ids, pages)
  }

  func articles(_ ids: [RemoteID]) async throws -> [RemoteArticle] {
    let bytes: [UInt8]
    do {
      bytes = try await post(
        "stream/items/contents", ids.map { ("i", $0.whole) }, query: [("output", "json")],
        isRepeatable: true)
    } catch SyncError.refused(400, let detail, _) where detail.contains("no items returned") {
      // Miniflux's answer when it has none of them.
      return []
    }
    return try ServerAnswer(bytes, of: "stream/items/contents").articles(ids)
  }

  func set(_ mark: RemoteMark, _ value: Bool, of ids: [RemoteID]) async throws {
    let tag = mark == .unread ? Self.state + "read" : Self.stream(mark)
    let isAdded = mark == .unread ? !value : value
    let items = ids.map { ("i", $0.whole) }
    do {
      // Miniflux toggles a mark that is already set, for example after a lost answer or a change by
      // another device. Removing a mark that is not set has no effect, so it is removed first.
      if isAdded, try await isMiniflux { _ = try await post("edit-tag", items + [("r", tag)]) }
      _ = try await post("edit-tag", items + [(isAdded ? "a" : "r", tag)])
    } catch SyncError.refused(_, let detail, _) where detail.contains("unsupported tag type") {
      throw SyncError.unsupported
    }
  }

  private var isMiniflux: Bool {
    get async throws { try await secrets.areOfMiniflux }
  }

  private var secrets: SyncSession.Secrets {
    get async throws {
      try await connection.session.secrets(needsToken: true) { password in
        let authorization = try await fetchAuthorization(password)
        return .init(authorization: authorization, token: try await fetchToken(authorization))
      }
    }
  }

  private static let state = "user/-/state/com.google/"
  private static let labelPrefix = "user/-/label/"

  private static func stream(_ mark: RemoteMark) -> String {
    switch mark {
    case .unread: state + "reading-list"
    case .starred: state + "starred"
    case .label(let name): labelPrefix + name
    }
  }

  // MARK: Requests

  private func get(
    _ path: String, _ query: [(String, String)] = []
  ) async throws -> ServerAnswer {
    ServerAnswer(try await send(path, query: query + [("output", "json")]), of: path)
  }

  private func post(
    _ path: String, _ form: [(String, String)], query: [(String, String)] = [],
    isRepeatable: Bool = false
  ) async throws -> [UInt8] {
    try await send(path, query: query, form: form, isRepeatable: isRepeatable)
  }

  /// Sends a request, and logs in again once if the server no longer accepts the session.
  private func send(
    _ path: String, query: [(String, String)], form: [(String, String)]? = nil,
    isRepeatable: Bool = false
  ) async throws -> [UInt8] {
    var isFresh = false
    while true {
      let secrets = try await secrets
      // Miniflux reads only the token in the form of a POST; other servers read only the header.
      var body = form.map {
        HTTPRequest.Body(form: $0 + [("T", secrets.token ?? "")], isSecret: true)
      }
      body?.isRepeatable = isRepeatable
      let response = try await send("reader/api/0/" + path, query, body, secrets.authorization)
      switch response.status {
      case 200...299: return response.body
      case 401, 403:
        guard !isFresh else { throw connection.loginRefusal(response) }
        isFresh = true
        await connection.session.forget(secrets)
      case 400 where response.headers["X-Reader-Google-Bad-Token"] != nil && !isFresh:
        isFresh = true
        await connection.session.forget(secrets)
      default: throw connection.refusal(response)
      }
    }
  }

  private func send(
    _ path: String, _ query: [(String, String)], _ body: HTTPRequest.Body?, _ authorization: String?
  ) async throws -> HTTPResponse {
    let text = String(decoding: HTTPRequest.Body(form: query).bytes, as: UTF8.self)
    var headers = HTTPHeaders()
    if let authorization { headers.append("Authorization", "GoogleLogin auth=" + authorization) }
    return try await connection.send(
      "/" + path + (text.isEmpty ? "" : "?" + text), body, headers: headers,
      sizeLimit: path.hasSuffix("contents")
        ? ServerAnswer.articlesSizeLimit : ServerAnswer.sizeLimit)
  }

  private func fetchAuthorization(_ password: String) async throws -> String {
    let form = [("Email", connection.user), ("Passwd", password)]
    let response = try await send(
      "accounts/ClientLogin", [], .init(form: form, isSecret: true), nil)
    switch response.status {
    case 200...299:
      let lines = response.body.split(separator: 0x0A).prefix(20)
      for line in lines where line.starts(with: "Auth=".utf8) && line.count <= 1_000 {
        let text = String(decoding: line.dropFirst(5), as: UTF8.self).trimmingWhiteSpace()
        if !text.isEmpty, HTTPHeaders.canSend(text) { return text }
      }
      throw SyncError.notAServer(detail: "\(connection.address) answers without a login.")
    case 401, 403: throw connection.loginRefusal(response)
    case 404, 405, 400, 501: throw SyncError.notAServer(detail: "HTTP status \(response.status)")
    default: throw connection.refusal(response)
    }
  }

  private func fetchToken(_ authorization: String) async throws -> String {
    let response = try await send("reader/api/0/token", [], nil, authorization)
    switch response.status {
    case 200...299:
      return String(decoding: response.body.prefix(1_000), as: UTF8.self).trimmingWhiteSpace()
    case 401, 403: throw connection.loginRefusal(response)
    default: throw connection.refusal(response)
    }
  }
}
