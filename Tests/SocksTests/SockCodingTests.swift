import Foundation
import Testing

@testable import Socks

@Suite struct SockCodingTests {
  @Test(arguments: [
    (SockEdit.name("A"), #"{"name":{"_0":"A"}}"#),
    (.sogginess(5), #"{"sogginess":{"_0":5}}"#), (.pattern("dots"), #"{"pattern":{"_0":"dots"}}"#),
    (.colour("red"), #"{"colour":{"_0":"red"}}"#), (.notes("N"), #"{"notes":{"_0":"N"}}"#),
    (.picture(.bundled("a")), #"{"picture":{"_0":"bundled:a"}}"#),
    (.picture(nil), #"{"picture":{"_0":null}}"#),
  ])
  func `an edit is encoded as earlier versions of the program encoded it`(
    edit: SockEdit, json: String
  ) throws {
    #expect(try String(decoding: JSONEncoder().encode(edit), as: UTF8.self) == json)
    #expect(try JSONDecoder().decode(SockEdit.self, from: Data(json.utf8)) == edit)
  }

  @Test func `what journals of earlier versions contain is read`() throws {
    let edit = try JSONDecoder().decode(SockEdit.self, from: Data(#"{"picture":{}}"#.utf8))
    #expect(edit == .picture(nil))
    let id = UUID()
    let update = #"{"update":{"_0":"\#(id)","_1":[{"name":{"_0":"A"}}]}}"#
    #expect(
      try JSONDecoder().decode(SockChange.self, from: Data(update.utf8))
        == .update(id, [.name("A")]))
    let draft = """
      {"add":{"_0":{"id":"\(id)","name":"A","sogginess":3,"pattern":"","colour":"","notes":""}}}
      """
    #expect(
      try JSONDecoder().decode(SockChange.self, from: Data(draft.utf8))
        == .add(SockDraft(id: id, [.name("A"), .sogginess(3)])))
  }

  @Test(arguments: SockField.allCases)
  func `a value is set in the field that it is read from`(field: SockField) throws {
    let full = SockDraft([
      .name("A"), .picture(.bundled("b")), .sogginess(1), .pattern("c"), .colour("d"), .notes("e"),
    ])
    var draft = SockDraft(id: full.id, [.name("")])
    let empty = draft
    draft.sock.apply(SockEdit(field, full.sock[field]))
    #expect(draft.sock[field] == full.sock[field])
    #expect(SockField.allCases.filter { draft.sock[$0] != empty.sock[$0] } == [field])
    #expect(try JSONDecoder().decode(SockDraft.self, from: JSONEncoder().encode(draft)) == draft)
  }
}
