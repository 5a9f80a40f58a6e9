import Testing

@testable import Articles

@Suite struct PreparedFeedTests {
  private func title(_ html: String, title: String = "") -> String {
    PreparedArticle(ParsedArticle(title: title, html: html)).content.title
  }

  @Test func `an article without a title has the first words of its text`() {
    #expect(title("<p>Short &amp; <b>sweet</b>.</p>") == "Short & sweet.")
    #expect(title("<p>Text</p>", title: "Title") == "Title")
    #expect(
      title("<p>\(String(repeating: "seven77 ", count: 30))")
        == String(repeating: "seven77 ", count: 9) + "seven77…")
    #expect(title(String(repeating: "字", count: 200)) == String(repeating: "字", count: 80) + "…")
    #expect(title("<img src=a.png>") == "")
  }
}
