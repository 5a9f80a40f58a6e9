import Foundation
import HTTP

/// A server with the Fever API: Miniflux, FreshRSS, Tiny Tiny RSS and others.
///
/// The API cannot add, rename or remove feeds, and changes marks one at a time.
struct Fever: SyncServer {
  let connection: SyncConnection

  /// What the protocol allows.
  let articlesPerRequest = 50
  let requestsAtOnce = 4
  let marksPerRequest = 50

  func logIn() async throws {
    await connection.session.forget()
    do {
      _ = try await ask("")
    } catch SyncError.badAnswer(let detail) {
      throw SyncError.notAServer(detail: detail)
    }
  }

  // MARK: Feeds

  func feeds() async throws -> [RemoteFeed] {
    let folders = try await ask("&groups")
    // Without them, all feeds would leave their folders.
    guard let groups = folders.groups else { throw SyncError.badAnswer(detail: "no groups") }
    let answer = try await ask("&feeds")
    guard let feeds = answer.feeds else { throw SyncError.badAnswer(detail: "no feeds") }
    return feeds.map { feed in
      let group = folders.groupOfFeed[feed.id] ?? answer.groupOfFeed[feed.id]
      return RemoteFeed(
        id: String(feed.id), address: feed.address, title: feed.title,
        folder: group.flatMap { groups[$0] }, site: feed.site)
    }
  }

  func subscribe(to address: String, title: String?, folder: String?) async throws -> String {
    throw SyncError.unsupported
  }

  func edit(_ feed: String, title: String?, folder: FolderMove?) async throws {
    throw SyncError.unsupported
  }

  func unsubscribe(from feed: String) async throws { throw SyncError.unsupported }

  // MARK: Articles

  func labels() async throws -> [String]? { nil }

  func articles(with mark: RemoteMark) async throws -> Set<RemoteID> {
    let answer = try await ask(mark == .unread ? "&unread_item_ids" : "&saved_item_ids")
    guard let ids = mark == .unread ? answer.unread : answer.saved else {
      throw SyncError.badAnswer(detail: "no ids")
    }
    return ids
  }

  func newestArticles(of feed: String, limit: Int) async throws -> Set<RemoteID> { [] }

  func articles(_ ids: [RemoteID]) async throws -> [RemoteArticle] {
    try await items(ids).map(\.article)
  }

  private func items(_ ids: [RemoteID]) async throws -> [FeverItem] {
    let wanted = Set(ids.compactMap(\.number))
    let list = wanted.sorted().map(String.init).joined(separator: ",")
    guard let items = try await ask("&items&with_ids=" + list, wanted: wanted).items else {
      throw SyncError.badAnswer(detail: "no items")
    }
    return items
  }

  func set(_ mark: RemoteMark, _ value: Bool, of ids: [RemoteID]) async throws {
    let word: String
    var changing = ids.compactMap(\.number)
    switch mark {
    case .unread: word = value ? "unread" : "read"
    case .starred:
      word = value ? "saved" : "unsaved"
      // Miniflux toggles the star for both words.
      changing = try await items(ids).filter { $0.isSaved != value }.map(\.id)
    case .label: throw SyncError.unsupported
    }
    for id in changing {
      _ = try await ask("", [("mark", "item"), ("as", word), ("id", String(id))])
    }
  }

  // MARK: Requests

  /// - Parameters:
  ///   - form: the changes; empty for a query.
  ///   - wanted: the requested articles.
  private func ask(
    _ question: String, _ form: [(String, String)] = [], wanted: Set<Int64> = []
  ) async throws -> FeverAnswer {
    let secrets = try await connection.session.secrets(needsToken: false) { password in
      .init(authorization: MD5.hexadecimal(Array("\(connection.user):\(password)".utf8)))
    }
    let key = [("api_key", secrets.authorization ?? "")]
    var body = HTTPRequest.Body(form: key + form, isSecret: true)
    body.isRepeatable = form.isEmpty
    let response = try await connection.send(
      "/?api" + question, body,
      sizeLimit: wanted.isEmpty ? ServerAnswer.sizeLimit : ServerAnswer.articlesSizeLimit)
    switch response.status {
    case 200...299: break
    case 401, 403: throw connection.loginRefusal(response)
    case 404, 405: throw SyncError.notAServer(detail: "HTTP status \(response.status)")
    default: throw connection.refusal(response)
    }
    let answer = try ServerAnswer(response.body, of: "Fever").fever(wanted: wanted)
    guard let auth = answer.auth else {
      throw SyncError.notAServer(detail: "The answer is not one of Fever.")
    }
    guard auth == 1 else {
      await connection.session.forget()
      throw SyncError.passwordRefused
    }
    return answer
  }
}

/// The hash that Fever uses for passwords; it protects nothing.
enum MD5 {
  static func hexadecimal(_ bytes: [UInt8]) -> String {
    var message = bytes + [0x80]
    while message.count % 64 != 56 { message.append(0) }
    let length = UInt64(bytes.count) * 8
    message += (0..<8).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
    var state: (UInt32, UInt32, UInt32, UInt32) = (
      0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476
    )
    for start in stride(from: 0, to: message.count, by: 64) {
      let words = (0..<16).map { word in
        (0..<4).reduce(UInt32(0)) { $0 | UInt32(message[start + 4 * word + $1]) << (8 * $1) }
      }
      var (a, b, c, d) = state
      for step in 0..<64 {
        let (mix, word): (UInt32, Int) =
          switch step / 16 {
          case 0: ((b & c) | (~b & d), step)
          case 1: ((d & b) | (~d & c), (5 * step + 1) % 16)
          case 2: (b ^ c ^ d, (3 * step + 5) % 16)
          default: (c ^ (b | ~d), 7 * step % 16)
          }
        let sum = a &+ mix &+ sines[step] &+ words[word]
        let turn = turns[step / 16][step % 4]
        (a, d, c, b) = (d, c, b, b &+ (sum << turn | sum >> (32 - turn)))
      }
      state = (state.0 &+ a, state.1 &+ b, state.2 &+ c, state.3 &+ d)
    }
    return [state.0, state.1, state.2, state.3].flatMap { word in
      (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
    }
    .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private static let turns: [[UInt32]] = [
    [7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21],
  ]
  private static let sines = (1...64).map { UInt32(abs(sin(Double($0))) * 4_294_967_296) }
}
