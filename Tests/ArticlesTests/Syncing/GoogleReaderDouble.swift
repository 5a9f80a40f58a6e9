import Foundation
import Synchronization
import TestServer

@testable import Articles

/// A server that answers as FreshRSS or as Miniflux does, and as strictly: what the real one would not
/// understand is an error here, too.
final class GoogleReaderDouble: Sendable {
  enum Dialect: String, CaseIterable, Sendable {
    case freshRSS, miniflux
  }

  static let user = "greader"
  static let password = "reading & elsewhere=1"

  /// When an article was published, in seconds since 1970.
  static func seconds(of number: Int64) -> Int64 { 1_790_000_000 + number }

  let dialect: Dialect
  let server: TestServer
  private let state: Mutex<State>

  struct State: Sendable {
    var model = ServerModel()
    /// Grows when logins end.
    var generation = 0
    /// Taken, in their order, in place of answers.
    var faults: [Fault] = []
    var requests: [String] = []
    /// At most so many ids a page, whatever is asked for.
    var pageLimit = 10_000
    /// The most ids that one request may have.
    var idLimit = 1_000
    /// Miniflux: whether every few articles have the same date, whose order each page has of its own.
    var hasTies = false
    /// Whether it lists the articles of a feed.
    var listsFeeds = true
    /// So many times another client reads the newest unread article before a page is sent.
    var marksAtPage = 0
    /// Whether an article comes before each page is sent.
    var publishesAtPage = false
    /// After so many requests, the answer of one is lost.
    var passing: Int?
    var refusesPassword = false
    /// The addresses of feeds that the server itself cannot fetch.
    var unfetchable: Set<String> = []
    /// After so many requests for contents, there is no answer to the next ones.
    var contentsLimit: Int?
    /// So many requests for contents are refused as too large.
    var refusedContents = 0
    /// FreshRSS: what is at the addresses that are none of its API; nil for nothing.
    var site: Answer?
    /// FreshRSS: whether its API is switched off, as after its installation.
    var isSwitchedOff = false
  }

  enum Fault: Sendable {
    case none
    /// The server does nothing, and says so.
    case status(Int, headers: [String: String] = [:])
    /// The server does it, and its answer is lost.
    case lost
    /// The server does it, and answers with something else.
    case answers(String)
  }

  init(_ dialect: Dialect) throws {
    self.dialect = dialect
    server = try TestServer()
    state = Mutex(State())
    server.answer(TestServer.anyPath) { [weak self] in self?.answer($0) ?? .whole("") }
  }

  var address: String { server.url(dialect == .freshRSS ? "/api/greader.php" : "") }
  /// What a user types.
  var root: String { server.url("") }

  func edit<Value: Sendable>(_ body: @Sendable (inout State) -> Value) -> Value {
    state.withLock { body(&$0) }
  }

  var model: ServerModel { state.withLock(\.model) }

  // MARK: Requests

  private func answer(_ request: RecordedRequest) -> Answer {
    var path = request.path
    if dialect == .freshRSS {
      guard path.hasPrefix("/api/greader.php/") else {
        return edit(\.site) ?? .whole("no such page", status: 404)
      }
      path = String(path.dropFirst("/api/greader.php".count))
    }
    return state.withLock { state in
      state.requests.append(path)
      if state.isSwitchedOff {
        return .whole(
          "Service Unavailable!", status: 503, headers: ["Content-Type": "text/plain"])
      }
      var fault = state.faults.isEmpty ? nil : state.faults.removeFirst()
      if let passing = state.passing {
        state.passing = passing == 0 ? nil : passing - 1
        if passing == 0 { fault = .lost }
      }
      if case .status(let status, let headers)? = fault {
        return .whole("a problem", status: status, headers: headers)
      }
      if path.hasSuffix("stream/items/contents"), let limit = state.contentsLimit {
        if limit == 0 { return Answer([.hold]) }
        state.contentsLimit = limit - 1
      }
      if path.hasSuffix("stream/items/contents"), state.refusedContents > 0 {
        state.refusedContents -= 1
        return .whole("a problem", status: 413)
      }
      let answer = answer(request, path, &state)
      switch fault {
      case .lost: return Answer([.close])
      case .answers(let text): return .whole(text)
      default: return answer
      }
    }
  }

  private func authorization(_ state: State) -> String { "\(Self.user)/key\(state.generation)" }

  private func token(_ state: State) -> String {
    dialect == .miniflux ? authorization(state) : "token\(state.generation)ZZZ"
  }

  private func answer(
    _ request: RecordedRequest, _ path: String, _ state: inout State
  ) -> Answer {
    let form = Self.fields(String(decoding: request.body, as: UTF8.self))
    let query = Self.fields(request.target.split(separator: "?", maxSplits: 1).dropFirst().joined())
    let refused = Answer.whole(
      "Unauthorized!", status: 401, headers: ["X-Reader-Google-Bad-Token": "true"])
    if path == "/accounts/ClientLogin" {
      guard request.method == "POST" || dialect == .freshRSS else {
        return .whole("", status: 405)
      }
      let login = form.isEmpty ? query : form
      guard !state.refusesPassword, login.first(of: "Email") == Self.user,
        login.first(of: "Passwd") == Self.password
      else {
        return .whole(#"{"error_message":"access unauthorized"}"#, status: 401)
      }
      let key = authorization(state)
      return .whole("SID=\(key)\nLSID=null\nAuth=\(key)\n")
    }
    let isKnown = request["Authorization"] == "GoogleLogin auth=\(authorization(state))"
    let hasToken = form.first(of: "T") == token(state)
    if request.method == "POST" {
      // Miniflux looks only at the form, and FreshRSS at both.
      guard hasToken, dialect == .miniflux || isKnown else { return refused }
    } else {
      guard isKnown else { return refused }
    }
    let prefix = "/reader/api/0/"
    guard path.hasPrefix(prefix) else { return unknown() }
    switch (request.method, path.dropFirst(prefix.count)) {
    case ("GET", "token"): return .whole(token(state) + "\n")
    case ("GET", "subscription/list"): return subscriptions(state.model)
    case ("GET", "tag/list"): return tags(state.model)
    case ("GET", "stream/items/ids"): return ids(query, &state)
    case ("POST", "stream/items/contents"): return contents(form, state)
    case ("POST", "edit-tag"): return editTag(form, &state)
    case ("POST", "subscription/quickadd"): return quickAdd(form, &state)
    case ("POST", "subscription/edit"): return editFeed(form, &state.model)
    default: return unknown()
    }
  }

  private func unknown() -> Answer {
    dialect == .miniflux ? .whole("[]") : .whole("Not implemented!", status: 501)
  }

  private func isJSON(_ query: [Field]) -> Bool { query.first(of: "output") == "json" }

  // MARK: Feeds

  private var userID: String { dialect == .miniflux ? "1" : "-" }

  private func subscriptions(_ model: ServerModel) -> Answer {
    let feeds = model.feeds.sorted { $0.key < $1.key }.map { id, feed in
      let folder = feed.folder ?? (dialect == .miniflux ? "All" : nil)
      return [
        "id": id, "title": feed.title, "url": feed.address, "htmlUrl": feed.address + "/site",
        "categories": folder.map {
          [["id": "user/\(userID)/label/\($0)", "label": $0, "type": "folder"]]
        } ?? [],
      ] as [String: Any]
    }
    return json(["subscriptions": feeds])
  }

  private func tags(_ model: ServerModel) -> Answer {
    var tags: [[String: Any]] = [["id": "user/\(userID)/state/com.google/starred"]]
    for folder in Set(model.feeds.values.compactMap(\.folder)).sorted() {
      tags.append(["id": "user/\(userID)/label/\(folder)", "type": "folder"])
    }
    if dialect == .freshRSS {
      for label in model.labels {
        tags.append(["id": "user/-/label/\(label)", "type": "tag", "unread_count": 0])
      }
    }
    return json(["tags": tags])
  }

  private func quickAdd(_ form: [Field], _ state: inout State) -> Answer {
    guard let address = form.first(of: "quickadd"), address.hasPrefix("http") else {
      return .whole("bad", status: 400)
    }
    guard !state.unfetchable.contains(address) else {
      return dialect == .miniflux
        ? .whole(#"{"error_message":"no feed"}"#, status: 500)
        : json(["numResults": 0, "error": "no feed"])
    }
    if state.model.feeds.values.contains(where: { $0.address == address }) {
      return dialect == .miniflux
        ? .whole(#"{"error_message":"This feed already exists."}"#, status: 500)
        : json(["numResults": 0, "error": "Already subscribed!"])
    }
    let id = state.model.subscribe(address)
    return json(["numResults": 1, "query": address, "streamId": id, "streamName": address])
  }

  private func editFeed(_ form: [Field], _ model: inout ServerModel) -> Answer {
    guard let id = form.first(of: "s") else { return .whole("bad", status: 400) }
    switch form.first(of: "ac") {
    case "unsubscribe":
      model.unsubscribe(id)
    case "edit":
      guard model.feeds[id] != nil else {
        return dialect == .miniflux
          ? .whole(#"{"error_message":"not found"}"#, status: 500) : .whole("bad", status: 400)
      }
      if let title = form.first(of: "t") { model.feeds[id]?.title = written(title) }
      // Miniflux reads only what is added: a feed of it always has a folder.
      if dialect == .freshRSS, let label = form.first(of: "r").flatMap(label),
        model.feeds[id]?.folder == label
      {
        model.feeds[id]?.folder = nil
      }
      if let label = form.first(of: "a").flatMap(label) { model.feeds[id]?.folder = label }
    default: return .whole("bad", status: 400)
    }
    return .whole("OK")
  }

  /// The title as the server stores it: FreshRSS has no signs of HTML in titles.
  private func written(_ title: String) -> String {
    guard dialect == .freshRSS else { return title }
    return title.replacing("&", with: "＆").replacing("<", with: "＜").replacing(">", with: "＞")
      .trimmingWhiteSpace()
  }

  private func label(_ tag: String) -> String? {
    tag.hasPrefix("user/-/label/") ? String(tag.dropFirst("user/-/label/".count)) : nil
  }

  // MARK: Articles

  private func mark(_ stream: String) -> RemoteMark? {
    switch stream {
    case "user/-/state/com.google/starred": .starred
    case "user/-/state/com.google/read": .unread
    default: label(stream).map(RemoteMark.label)
    }
  }

  private func ids(_ query: [Field], _ state: inout State) -> Answer {
    guard isJSON(query), let stream = query.first(of: "s") else {
      return .whole("bad", status: 400)
    }
    if state.marksAtPage > 0, query.first(of: "c") != nil {
      state.marksAtPage -= 1
      if let newest = state.model.ids(with: .unread).first {
        state.model.set(.unread, false, of: RemoteID(number: newest))
      }
    }
    if state.publishesAtPage { state.model.publish("new", in: "feed/1") }
    var all: [Int64]
    if stream == "user/-/state/com.google/reading-list" {
      let isUnread = query.first(of: "xt") == "user/-/state/com.google/read"
      all = isUnread ? state.model.ids(with: .unread) : state.model.items.keys.sorted(by: >)
    } else if let mark = mark(stream), mark != .unread,
      dialect == .freshRSS || mark == .starred
    {
      all = state.model.ids(with: mark)
    } else if state.listsFeeds, state.model.feeds[stream] != nil {
      all = state.model.items.filter { $0.value.feed == stream }.keys.sorted(by: >)
    } else {
      return .whole("bad", status: 400)
    }
    let asked = query.first(of: "n").flatMap { Int($0) } ?? 20
    // Smaller, in proportion, than what it is asked for.
    let size = min(asked, max(1, state.pageLimit - (10_000 - min(asked, 10_000)) / 1_000))
    var answer: [String: Any] = [:]
    switch dialect {
    case .freshRSS:
      // From an id on, that one included.
      if let next = query.first(of: "c").flatMap({ Int64($0) }) { all = all.filter { $0 <= next } }
      let page = all.prefix(size)
      if all.count > size { answer["continuation"] = "\(all[size - 1])" }
      answer["itemRefs"] = page.map { ["id": "\($0)"] }
    case .miniflux:
      // From a place on, which is another one's when something was marked meanwhile.
      let start = query.first(of: "c").flatMap { Int($0) } ?? 0
      if state.hasTies {
        all.sort { ($1 / 4, ($0 * 7 + Int64(start)) % 11) < ($0 / 4, ($1 * 7 + Int64(start)) % 11) }
      }
      let page = all.dropFirst(start).prefix(size)
      if start + size < all.count { answer["continuation"] = "\(start + size)" }
      answer["itemRefs"] = page.map { ["id": "\($0)"] }
    }
    return json(answer)
  }

  private func itemIDs(_ form: [Field], _ state: State) -> [RemoteID]? {
    let ids = form.filter { $0.name == "i" }.map { RemoteID($0.value) }
    guard !ids.isEmpty, ids.count <= state.idLimit else { return nil }
    return ids.compactMap(\.self).count == ids.count ? ids.compactMap(\.self) : nil
  }

  private func contents(_ form: [Field], _ state: State) -> Answer {
    guard let ids = itemIDs(form, state) else { return .whole("bad", status: 400) }
    let items = ids.compactMap { id -> [String: Any]? in
      guard let number = id.number, let item = state.model.items[number] else { return nil }
      let text = ["content": "<p>Text of <b>\(item.title)</b></p>"]
      var entry: [String: Any] = [
        "id": id.whole, "title": item.title, "published": Self.seconds(of: number),
        "canonical": [["href": item.link]], "summary": text,
        "origin": ["streamId": item.feed, "title": "x"],
      ]
      if dialect == .miniflux { entry["content"] = text }
      return entry
    }
    if dialect == .miniflux, items.isEmpty {
      return .whole(
        #"{"error_message":"googlereader: no items returned from the database for item IDs: []"}"#,
        status: 400)
    }
    return json(["id": "user/-/state/com.google/reading-list", "items": items])
  }

  private func editTag(_ form: [Field], _ state: inout State) -> Answer {
    guard let ids = itemIDs(form, state) else { return .whole("bad", status: 413) }
    let added = form.filter { $0.name == "a" }.map(\.value)
    let removed = form.filter { $0.name == "r" }.map(\.value)
    guard !(added + removed).isEmpty else { return .whole("bad", status: 400) }
    if dialect == .miniflux, (added + removed).contains(where: { label($0) != nil }) {
      return .whole(
        #"{"error_message":"googlereader: unsupported tag type: LabelStream"}"#, status: 500)
    }
    // FreshRSS takes the last of each.
    let used =
      dialect == .freshRSS ? (added.suffix(1), removed.suffix(1)) : (added[...], removed[...])
    for (tags, value) in [(used.0, true), (used.1, false)] {
      for tag in tags {
        guard let mark = mark(tag) else { return .whole("bad", status: 400) }
        // FreshRSS makes no label with the name of a folder, and says nothing about it.
        if value, case .label(let name) = mark, !state.model.labels.contains(name),
          state.model.feeds.values.contains(where: { $0.folder == name })
        {
          continue
        }
        for id in ids {
          // Miniflux takes away what is added a second time.
          let isThere = state.model.has(mark, of: id) == (mark != .unread)
          let isToggled = dialect == .miniflux && value && isThere
          state.model.set(mark, (mark == .unread) == (value == isToggled), of: id)
        }
      }
    }
    return .whole("OK")
  }

  // MARK: Forms and JSON

  struct Field: Sendable {
    let name: String
    let value: String
  }

  private static func fields(_ text: some StringProtocol) -> [Field] {
    text.split(separator: "&").map { field in
      let parts = field.split(separator: "=", maxSplits: 1).map {
        $0.replacingOccurrences(of: "+", with: " ").removingPercentEncoding ?? ""
      }
      return Field(name: parts.first ?? "", value: parts.count > 1 ? parts[1] : "")
    }
  }

  private func json(_ value: [String: Any]) -> Answer {
    let data = (try? JSONSerialization.data(withJSONObject: value)) ?? Data()
    return .whole(data, headers: ["Content-Type": "application/json"])
  }
}

extension [GoogleReaderDouble.Field] {
  func first(of name: String) -> String? { first { $0.name == name }?.value }
}
