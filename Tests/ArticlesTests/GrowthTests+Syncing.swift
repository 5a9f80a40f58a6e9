import Limits

@testable import Articles

private func read(
  _ name: String, _ read: @escaping @Sendable (ServerAnswer) throws -> Void,
  _ text: @escaping @Sendable (Int) -> String
) -> Growth {
  Growth(name: name, text: text) { bytes, budget in
    try? read(ServerAnswer(bytes, of: name, budget: budget))
  }
}

private let idsAnswer: @Sendable (ServerAnswer) throws -> Void = { answer in
  var ids: Set<RemoteID> = []
  _ = try answer.references(into: &ids)
}
private let feedsAnswer: @Sendable (ServerAnswer) throws -> Void = { _ = try $0.subscriptions() }
private let labelsAnswer: @Sendable (ServerAnswer) throws -> Void = { _ = try $0.labels() }
private let contentsAnswer: @Sendable (ServerAnswer) throws -> Void = { answer in
  _ = try answer.articles((0..<150).map(RemoteID.init(number:)))
}
private let feverAnswer: @Sendable (ServerAnswer) throws -> Void = {
  _ = try $0.fever(wanted: [1, 2])
}

private func list(_ name: String, _ elements: String) -> String { "{\"\(name)\":[\(elements)]}" }

extension GrowthTests {
  /// What servers for syncing answer.
  static let syncs: [Growth] = [
    read("ids of a server", idsAnswer) { list("itemRefs", times($0) { "{\"id\":\"\($0)\"}," }) },
    read("empty references of a server", idsAnswer) { list("itemRefs", times($0, "{},")) },
    read("ids of marks", idsAnswer) {
      list("itemRefs", times($0) { "{\"id\":\"\(marks)\($0)\"}," })
    },
    read("an id of marks", idsAnswer) { list("itemRefs", "{\"id\":\"\(times($0, marks))\"}") },
    read("names of marks in references", idsAnswer) {
      list("itemRefs", "{\(times($0) { "\"\(marks)\($0)\":0," })}")
    },
    read("a word of marks for the next page", idsAnswer) {
      "{\"itemRefs\":[],\"continuation\":\"\(times($0, marks))\"}"
    },
    read("feeds of a server", feedsAnswer) {
      list("subscriptions", times($0) { "{\"id\":\"feed/\($0)\",\"url\":\"http://e.org/\($0)\"}," })
    },
    read("feeds that say nothing", feedsAnswer) { list("subscriptions", times($0, "{\"a\":0},")) },
    read("folders of one feed", feedsAnswer) {
      list("subscriptions", "{\"id\":\"a\",\"categories\":[\(times($0, "{\"label\":\"b\"},"))]}")
    },
    read("labels of a server", labelsAnswer) {
      list("tags", times($0) { "{\"type\":\"tag\",\"id\":\"user/-/label/\($0)\"}," })
    },
    read("labels of marks", labelsAnswer) {
      list("tags", times($0) { "{\"type\":\"tag\",\"id\":\"user/-/label/\(marks)\($0)\"}," })
    },
    read("items that say nothing to a reader", contentsAnswer) {
      list("items", times($0, "{\"a\":0},"))
    },
    read("one item ever again", contentsAnswer) {
      list("items", times($0, "{\"id\":\"1\",\"origin\":{\"streamId\":\"a\"}},"))
    },
    read("texts of one item", contentsAnswer) {
      list("items", "{\(times($0, "\"content\":{\"content\":\"a\"},"))}")
    },
    read("enclosures of one item", contentsAnswer) {
      list("items", "{\"enclosure\":[\(times($0, "{\"href\":\"http://e.org/a\"},"))]}")
    },
    read("addresses of one item", contentsAnswer) {
      list("items", "{\"canonical\":[\(times($0, "{\"href\":\"http://e.org/a\"},"))]}")
    },
    read("a title of marks of an item", contentsAnswer) {
      list(
        "items",
        "{\"id\":\"1\",\"title\":\"\(times($0, marks))\",\"origin\":{\"streamId\":\"a\"}}")
    },
    read("arrays in each other of a server", contentsAnswer) { "{\"items\":" + times($0, "[") },
    read("ids of Fever", feverAnswer) { "{\"unread_item_ids\":\"\(times($0) { "\($0)," })\"}" },
    read("commas of Fever", feverAnswer) { "{\"saved_item_ids\":\"\(times($0, ","))\"}" },
    read("marks for ids of Fever", feverAnswer) { "{\"saved_item_ids\":\"\(times($0, marks))\"}" },
    read("groups of Fever", feverAnswer) {
      list("groups", times($0) { "{\"id\":\($0),\"title\":\"\(marks)\"}," })
    },
    read("groups of one feed of Fever", feverAnswer) {
      list("feeds_groups", times($0) { "{\"group_id\":\($0),\"feed_ids\":\"1,2,3\"}," })
    },
    read("feeds of Fever", feverAnswer) {
      list("feeds", times($0) { "{\"id\":\($0),\"url\":\"http://e.org/\($0)\"}," })
    },
    read("items of Fever that say nothing", feverAnswer) { list("items", times($0, "{\"a\":0},")) },
    read("one item of Fever ever again", feverAnswer) {
      list("items", times($0, "{\"id\":1,\"feed_id\":1},"))
    },
  ]
}
