@testable import Articles

/// An answer of a server for syncing is read or refused, and brings nothing that was not asked for.
func fuzzSync(_ bytes: [UInt8]) -> Int32 {
  func read<Value>(_ body: (ServerAnswer) throws -> Value) -> Value? {
    counted(bytes) { try? body(ServerAnswer(bytes, of: "answer", budget: $0)) }
  }
  let wanted = (1...3).map(RemoteID.init(number:))
  let feeds = read { try $0.subscriptions() }
  let labels = read { try $0.labels() }
  let articles = read { try $0.articles(wanted) }
  var ids: Set<RemoteID> = []
  let next = read { try $0.references(into: &ids) }
  let fever = read { try $0.fever(wanted: [1, 2, 3]) }

  for feed in feeds ?? [] {
    requireWeb([feed.address, feed.site])
    requireLine([feed.title, feed.folder ?? ""])
    precondition(1...500 ~= feed.id.utf8.count)
  }
  requireLine(labels ?? [])
  precondition(Set(labels ?? []).count == labels?.count ?? 0, "a label twice")
  precondition((next ?? "")?.utf8.count ?? 0 <= ServerAnswer.continuationLimit)
  for id in ids.union(fever?.unread ?? []).union(fever?.saved ?? []) {
    precondition(id.text.utf8.allSatisfy { 0x20..<0x7F ~= $0 } && id.text.utf8.count <= 100)
  }
  for found in [articles, fever?.items?.map(\.article)] {
    precondition(Set((found ?? []).map(\.id)).count == found?.count ?? 0, "an article twice")
    for article in found ?? [] {
      precondition(wanted.contains(article.id), "an article that nobody wanted")
      requireLine([article.content.title, article.content.author ?? ""])
      requireWeb([article.content.link] + article.content.attachments.map(\.address))
    }
  }
  for feed in fever?.feeds ?? [] {
    requireWeb([feed.address, feed.site])
    requireLine([feed.title])
  }
  return feeds == nil && articles == nil && fever == nil && next == nil && labels == nil
    ? -1 : 0
}

private func requireLine(_ texts: [String]) {
  for text in texts { precondition(!text.utf8.contains { $0 < 0x20 }, "a title that is no line") }
}
