import Foundation
import Testing

@testable import Articles

/// What a hostile server for syncing answers, and how little of it is kept.
@Suite struct ServerAnswerTests {
  private func answer(_ text: String) -> ServerAnswer {
    ServerAnswer(Array(text.utf8), of: "answer")
  }

  private func times(_ count: Int, _ text: (Int) -> String) -> String {
    (0..<count).map(text).joined(separator: ",")
  }

  @Test func `an article comes once, and only when it was asked for`() throws {
    let items = ["1", "1", "2", "3"].map { #"{"id": "\#($0)", "origin": {"streamId": "a"}}"# }
    let text = #"{"items": [\#(items.joined(separator: ","))]}"#
    let wanted = [RemoteID(number: 1), RemoteID(number: 3)]
    #expect(try answer(text).articles(wanted).map(\.id) == wanted)
    let fever = ["1", "1", "2", "3"].map { #"{"id": \#($0), "feed_id": 1}"# }
    let found = try answer(#"{"auth": 1, "items": [\#(fever.joined(separator: ","))]}"#)
      .fever(wanted: [1, 3])
    #expect(found.items?.map(\.id) == [1, 3])
  }

  @Test func `more feeds than anybody has are refused`() {
    let limit = ServerAnswer.feedLimit
    let refusal = SyncError.badAnswer(detail: "answer: The answer has more than \(limit) feeds.")
    let feeds = times(limit + 1) { #"{"id": "\#($0)", "url": "http://a"}"# }
    #expect(throws: refusal) { try answer(#"{"subscriptions": [\#(feeds)]}"#).subscriptions() }
    let fever = times(limit + 1) { #"{"id": \#($0), "url": "http://a"}"# }
    #expect(throws: refusal) { try answer(#"{"auth": 1, "feeds": [\#(fever)]}"#).fever() }
  }

  @Test func `of labels only the first are taken, each once`() throws {
    let tags = times(300) { #"{"type": "tag", "id": "user/-/label/\#($0 / 2)"}"# }
    let labels = try answer(#"{"tags": [\#(tags)]}"#).labels()
    #expect(labels == (0..<NameList.countLimit).map(String.init))
  }

  @Test func `a list with something that is no id, or without an end, is none`() {
    let wrong = [
      #"{"itemRefs": [{"id": "1"}, {"id": "\u001b[2J"}]}"#, #"{"itemRefs": [{"id": "1"}, {}]}"#,
      #"{"itemRefs": [{"id": "1"}, "#, #"{"itemRefs": {}}"#, "[]", "",
      #"{"itemRefs": [], "continuation": "\#(String(repeating: "a", count: 1_001))"}"#,
    ]
    for text in wrong {
      var ids: Set<RemoteID> = [RemoteID(number: 7)]
      #expect(throws: SyncError.self) { _ = try answer(text).references(into: &ids) }
    }
  }

  @Test(arguments: ["1e308", "-1", "\"nan\"", "\"inf\"", "9e15", "null", "{}"])
  func `a time that no calendar has is none`(time: String) throws {
    let item = #"{"id": "1", "published": \#(time), "origin": {"streamId": "a"}}"#
    let articles = try answer(#"{"items": [\#(item)]}"#).articles([RemoteID(number: 1)])
    #expect(articles.map(\.content.published) == [nil])
  }

  @Test func `numbers of Fever are read between whatever else there is`() throws {
    let text = #"{"auth": 1, "unread_item_ids": "1, 2 ,,x,-3,99999999999999999999999,4"}"#
    let ids = [1, 2, -3, 4].map(RemoteID.init(number:))
    #expect(try answer(text).fever().unread == Set(ids))
  }
}
