import Articles
import Testing

@testable import Argyle

/// Tests of the names by which the user tells the files of an article apart.
@Suite struct EnclosureNamesTests {
  private func names(_ addresses: String...) -> [String?] {
    let names = addresses.map { Attachment(address: $0) }.names
    return addresses.map { names[$0] }
  }

  @Test func `files of one name have their folders before it, others do not`() {
    let names = names(
      "https://example.org/s1/ep%201.ogg?a/b", "https://example.org/s2/ep%201.ogg",
      "https://example.org/s1/ep2.ogg", "https://example.org/ep%201.ogg")
    #expect(names == ["s1/ep 1.ogg", "s2/ep 1.ogg", "ep2.ogg", "example.org/ep 1.ogg"])
  }

  @Test func `if folders do not tell files apart, their addresses do`() {
    let addresses = ["https://example.org/a/get?1", "https://example.org/a/get?2"]
    #expect(names(addresses[0], addresses[1]) == addresses)
  }
}
