import Foundation
import Testing

@testable import Articles

@Suite struct ContentDigestTests {
  private let article = ParsedArticle(
    guid: "1", title: "Title", author: "Ann", link: "https://example.org/", html: "<p>Text</p>")

  private func digest(_ change: (inout ParsedArticle) -> Void) -> Int64 {
    var article = article
    change(&article)
    return PreparedArticle(article).digest
  }

  @Test func `whatever a reader would see changes it`() {
    let digests = [
      PreparedArticle(article).digest,
      digest { $0.title = "Titles" },
      digest { $0.title = "" },
      digest { $0.author = nil },
      digest { $0.author = "" },
      digest { $0.link = nil },
      digest { $0.published = Date(timeIntervalSince1970: 1) },
      digest { $0.html = "<p>Texts</p>" },
      digest { $0.html = "<p>Text</p>\0" },
      digest { $0.base = "https://example.org/" },
      digest { $0.attachments = [Attachment(address: "https://example.org/a.mp3")] },
      digest { ($0.title, $0.author) = ("TitleAnn", "") },
    ]
    #expect(Set(digests).count == digests.count)
  }

  @Test func `what it makes of a text is for ever, and no matter where it comes from`() {
    #expect(digest { $0.guid = "2" } == PreparedArticle(article).digest)
    var digest = ContentDigest()
    digest.combine("a text of more than eight bytes")
    #expect(digest.value == 12_080_693_783_243_755_193)
  }
}
