import Foundation
import HTTP

/// A server with the API that Google Reader had: FreshRSS, Miniflux, BazQux, The Old Reader, Inoreader.
///
/// They differ: what is done here is what all of them understand.
struct GoogleReader: SyncServer {
  /// What every address begins with; without a slash at its end.
  let address: String
  let user: String
  let client: HTTPClient
  var limits = HTTPRequest.Limits()
  var sendsPasswordsInClear = false
  let session: SyncSession
  var now: @Sendable () -> Date = { Date() }

  let articlesPerRequest = 150
  let requestsAtOnce = 4
  let marksPerRequest = 200
  /// How many ids a list is asked for at one time: one page, for nearly everyone, since pages shift on
  /// servers whose pages begin at a number when something is marked meanwhile.
  static let idsPerPage = 10_000
  /// Two readings of a list of several pages that say the same are believed; so often it is tried.
  static let readings = 4

  // MARK: Feeds

  func logIn() async throws {
    await session.forget()
    _ = try await session.authorization(logIn: fetchAuthorization)
  }

  func feeds() async throws -> [RemoteFeed] {
    struct Answer: Decodable {
      struct Category: Decodable {
        let id: String?
        let label: String?
      }
      struct Subscription: Decodable {
        let id: String
        let title: String?
        let url: String?
        let htmlUrl: String?
        let categories: [Category]?
      }
      let subscriptions: [Subscription]
    }
    let answer: Answer = try await get("subscription/list")
    return answer.subscriptions.compactMap { subscription in
      let id = subscription.id
      // Some have no field for the address, which stands in the id.
      let written = subscription.url ?? (id.hasPrefix("feed/http") ? String(id.dropFirst(5)) : "")
      guard 1...500 ~= id.utf8.count, let address = WebAddress.web(written) else { return nil }
      let category = subscription.categories?.lazy.compactMap { $0.label ?? Self.label($0.id) }
        .first
      return RemoteFeed(
        id: id, address: FeedCredentials.split(address).address,
        title: PlainText.line(subscription.title ?? ""),
        folder: category.flatMap { NameList.cleaned([$0]).first },
        site: subscription.htmlUrl.flatMap { WebAddress.web($0) })
    }
  }

  func subscribe(to address: String, title: String?, folder: String?) async throws -> String {
    struct Answer: Decodable {
      let streamId: String?
    }
    let answer: Answer = try await decoded(
      post("subscription/quickadd", [("quickadd", address)]), of: "subscription/quickadd")
    guard let id = answer.streamId, !id.isEmpty else {
      throw SyncError.badAnswer(detail: "The server does not add \(UserMessage.cleaned(address)).")
    }
    if title != nil || folder != nil {
      try await edit(id, title: title, folder: folder.map { FolderMove(from: nil, to: $0) })
    }
    return id
  }

  func edit(_ feed: String, title: String?, folder: FolderMove?) async throws {
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
    struct Answer: Decodable {
      struct Tag: Decodable {
        let id: String
        let type: String?
      }
      let tags: [Tag]
    }
    // It has none, and need not be asked each time.
    guard try await !isMiniflux else { return nil }
    let answer: Answer = try await get("tag/list")
    let labels = answer.tags.filter { $0.type == "tag" }.compactMap { Self.label($0.id) }
    return labels.isEmpty ? nil : labels
  }

  func articles(with mark: RemoteMark) async throws -> Set<RemoteID> {
    var query = [("s", Self.stream(mark))]
    if mark == .unread { query.append(("xt", Self.state + "read")) }
    var last: Set<RemoteID>?
    for _ in 0..<Self.readings {
      let (ids, pages) = try await ids(query)
      if pages == 1 || ids == last { return ids }
      last = ids
    }
    throw SyncError.badAnswer(detail: "The list of articles is another one each time.")
  }

  private func ids(_ query: [(String, String)]) async throws -> (Set<RemoteID>, pages: Int) {
    struct Answer: Decodable {
      struct Reference: Decodable {
        let id: RemoteID

        enum CodingKeys: CodingKey { case id }
        init(from decoder: any Decoder) throws {
          let container = try decoder.container(keyedBy: CodingKeys.self)
          if let number = try? container.decode(Int64.self, forKey: .id) {
            id = RemoteID(number: number)
          } else if let id = RemoteID(try container.decode(String.self, forKey: .id)) {
            self.id = id
          } else {
            throw SyncError.badAnswer(detail: "The list has something that is no id.")
          }
        }
      }
      let itemRefs: [Reference]
      let continuation: Continuation?

      /// A number or a text, as it comes.
      struct Continuation: Decodable {
        let text: String
        init(from decoder: any Decoder) throws {
          let container = try decoder.singleValueContainer()
          text = try (try? container.decode(String.self)) ?? String(container.decode(Int64.self))
        }
      }
    }
    var ids: Set<RemoteID> = []
    var next: String?
    var pages = 0
    repeat {
      let page = [("n", String(Self.idsPerPage))] + (next.map { [("c", $0)] } ?? [])
      let answer: Answer = try await get("stream/items/ids", query + page)
      let count = ids.count
      ids.formUnion(answer.itemRefs.lazy.map(\.id))
      pages += 1
      let continuation = answer.continuation?.text
      // A page that brings nothing new would be followed by itself for ever.
      next = continuation == "" || continuation == next || ids.count == count ? nil : continuation
    } while next != nil
    return (ids, pages)
  }

  func articles(_ ids: [RemoteID]) async throws -> [RemoteArticle] {
    struct Answer: Decodable {
      let items: [GoogleReaderItem]
    }
    let bytes: [UInt8]
    do {
      bytes = try await post(
        "stream/items/contents", ids.map { ("i", $0.whole) }, query: [("output", "json")],
        isRepeatable: true)
    } catch SyncError.refused(400, let detail, _) where detail.contains("no items returned") {
      // What Miniflux says where it has none of them.
      return []
    }
    let answer: Answer = try decoded(bytes, of: "stream/items/contents")
    let wanted = Set(ids)
    return answer.items.compactMap(\.article).filter { wanted.contains($0.id) }
  }

  func set(_ mark: RemoteMark, _ value: Bool, of ids: [RemoteID]) async throws {
    let tag = mark == .unread ? Self.state + "read" : Self.stream(mark)
    let isAdded = mark == .unread ? !value : value
    let items = ids.map { ("i", $0.whole) }
    do {
      // Miniflux takes away what is added a second time, as after a lost answer, or when another device
      // has done the same. What is not there is not taken away, though.
      if isAdded, try await isMiniflux { _ = try await post("edit-tag", items + [("r", tag)]) }
      _ = try await post("edit-tag", items + [(isAdded ? "a" : "r", tag)])
    } catch SyncError.refused(_, let detail, _) where detail.contains("unsupported tag type") {
      throw SyncError.unsupported
    }
  }

  /// Only there the login is also the token.
  private var isMiniflux: Bool {
    get async throws {
      let authorization = try await session.authorization(logIn: fetchAuthorization)
      return try await session.token { try await fetchToken(authorization) } == authorization
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

  /// The name in `user/1005921515/label/News`.
  private static func label(_ id: String?) -> String? {
    guard let id, id.hasPrefix("user/"), let range = id.firstRange(of: "/label/") else {
      return nil
    }
    return NameList.cleaned([String(id[range.upperBound...])]).first
  }

  // MARK: Requests

  private func get<Answer: Decodable>(
    _ path: String, _ query: [(String, String)] = []
  ) async throws -> Answer {
    try decoded(try await send(path, query: query + [("output", "json")]), of: path)
  }

  private func post(
    _ path: String, _ form: [(String, String)], query: [(String, String)] = [],
    isRepeatable: Bool = false
  ) async throws -> [UInt8] {
    try await send(path, query: query, form: form, isRepeatable: isRepeatable)
  }

  /// Sends a request, with one fresh login where the server does not know us any more.
  private func send(
    _ path: String, query: [(String, String)], form: [(String, String)]? = nil,
    isRepeatable: Bool = false
  ) async throws -> [UInt8] {
    var isFresh = false
    while true {
      let authorization = try await session.authorization(logIn: fetchAuthorization)
      var body: HTTPRequest.Body?
      if let form {
        // Miniflux reads only this of a POST, and the others only the header.
        let token = try await session.token { try await fetchToken(authorization) }
        body = HTTPRequest.Body(form: form + [("T", token)], isSecret: true)
        body?.isRepeatable = isRepeatable
      }
      let response = try await client.send(
        request("reader/api/0/" + path, query, body, authorization))
      switch response.status {
      case 200...299: return response.body
      case 401, 403:
        guard !isFresh else { throw SyncError.passwordRefused }
        isFresh = true
        await session.forget()
      case 400 where response.headers["X-Reader-Google-Bad-Token"] != nil && !isFresh:
        isFresh = true
        await session.forget()
      default: throw refusal(response)
      }
    }
  }

  private func request(
    _ path: String, _ query: [(String, String)], _ body: HTTPRequest.Body?, _ authorization: String?
  ) -> HTTPRequest {
    let text = String(decoding: HTTPRequest.Body(form: query).bytes, as: UTF8.self)
    var request = HTTPRequest(
      url: address + "/" + path + (text.isEmpty ? "" : "?" + text), body: body, limits: limits)
    request.limits.maximumBytes = Self.sizeLimit
    request.sendsPasswordsInClear = sendsPasswordsInClear
    if let authorization {
      request.headers.append("Authorization", "GoogleLogin auth=" + authorization)
    }
    return request
  }

  /// The most that one answer may have.
  static let sizeLimit = 64 << 20

  private func fetchAuthorization(_ password: String) async throws -> String {
    let form = [("Email", user), ("Passwd", password)]
    let response = try await client.send(
      request("accounts/ClientLogin", [], .init(form: form, isSecret: true), nil))
    switch response.status {
    case 200...299:
      let lines = response.body.split(separator: 0x0A).prefix(20)
      for line in lines where line.starts(with: "Auth=".utf8) && line.count <= 1_000 {
        let text = String(decoding: line.dropFirst(5), as: UTF8.self).trimmingWhiteSpace()
        if !text.isEmpty, HTTPHeaders.canSend(text) { return text }
      }
      throw SyncError.notAServer(detail: "\(address) answers without a login.")
    case 401, 403: throw SyncError.passwordRefused
    case 404, 405, 400: throw SyncError.notAServer(detail: "HTTP status \(response.status)")
    default: throw refusal(response)
    }
  }

  private func fetchToken(_ authorization: String) async throws -> String {
    let response = try await client.send(request("reader/api/0/token", [], nil, authorization))
    // An old login; the request that wanted the token logs in again.
    guard response.status != 401, response.status != 403 else { return "" }
    guard 200...299 ~= response.status else { throw refusal(response) }
    return String(decoding: response.body.prefix(1_000), as: UTF8.self).trimmingWhiteSpace()
  }

  private func refusal(_ response: HTTPResponse) -> SyncError {
    .refused(
      status: response.status,
      detail: UserMessage.cleaned(String(decoding: response.body.prefix(400), as: UTF8.self)),
      retryDate: CacheHeaders.retryDate(response.headers, now: now()))
  }

  private func decoded<Answer: Decodable>(_ bytes: [UInt8], of path: String) throws -> Answer {
    do {
      return try JSONDecoder().decode(Answer.self, from: Data(bytes))
    } catch {
      let beginning = UserMessage.cleaned(
        String(decoding: bytes.prefix(200), as: UTF8.self), limit: 60)
      throw SyncError.badAnswer(detail: "\(path): \(beginning)")
    }
  }
}
