/// Several feeds whose articles take turns by date, with the words and the markup of articles.
struct SampleFeeds {
  let feeds: Int
  let articles: Int
  /// How long each article is.
  var paragraphs = 12

  /// Of equal length, so that none is the beginning of another.
  static func articleName(_ rank: Int) -> String { "Article-\(padded(rank, 6))" }
  static func feedName(_ feed: Int) -> String { "Feed-\(padded(feed, 4))" }

  func path(_ feed: Int) -> String { "/feed-\(feed).xml" }

  /// By path; each has a second version in which every tenth article is another text.
  func documents(changing: Bool = false) -> [String: [[UInt8]]] {
    var documents: [String: [[UInt8]]] = [:]
    for feed in 0..<feeds {
      documents[path(feed)] = (changing ? [0, 1] : [0]).map {
        Array(text(of: feed, version: $0).utf8)
      }
    }
    return documents
  }

  private func text(of feed: Int, version: Int) -> String {
    var text = """
      <?xml version="1.0" encoding="UTF-8"?><rss version="2.0"
      xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel>
      <title>\(Self.feedName(feed)) of many</title><link>http://example.org/\(feed)</link>

      """
    let body = String(repeating: Self.paragraph, count: paragraphs)
    for article in 0..<articles {
      let rank = article * feeds + feed
      let change = article.isMultiple(of: 10) ? version : 0
      text += """
        <item><title>\(Self.articleName(rank)) and what it is about</title>
        <link>http://example.org/\(feed)/\(article)</link><guid>urn:\(feed):\(article)</guid>
        <pubDate>\(date(rank))</pubDate>
        <content:encoded><![CDATA[<h2>Heading \(change)</h2>\(body)]]></content:encoded></item>

        """
    }
    return text + "</channel></rss>\n"
  }

  private static let paragraph =
    """
    <p>Some text with <a href="https://example.org/a?b=1&amp;c=2">a link</a>, <em>emphasis</em> and \
    more of it, as long as a paragraph is in most articles that people write.</p>

    """

  /// An hour lies between two articles.
  private func date(_ rank: Int) -> String {
    let hours = 24 * 28 * 12 * 26 - rank
    let (day, month, year) = (hours / 24, hours / (24 * 28), hours / (24 * 28 * 12))
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    return "\(Self.padded(day % 28 + 1, 2)) \(months[month % 12]) \(2000 + year) "
      + "\(Self.padded(hours % 24, 2)):00:00 GMT"
  }

  static func padded(_ number: Int, _ count: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, count - digits.count)) + digits
  }
}

/// One article of a megabyte, as a page of its own and in a feed.
enum LongArticle {
  static let title = "Long-article"
  /// What its text begins with, on the first page of every program.
  static let beginning = "Beginning-of-the-text"

  static let html: String = {
    var html = "<p>\(beginning)</p>\n"
    var number = 0
    while html.utf8.count < 1_000_000 {
      number += 1
      html += """
        <h2>Section \(number)</h2>
        <p>Some text with <a href="https://example.org/\(number)">a link</a>, <em>emphasis</em>, \
        <strong>weight</strong> and <code>code</code>, as long as a paragraph is in most articles that \
        people write: longer than a line, and shorter than the screen is high.</p>
        <ul><li>one thing</li><li>and <a href="https://example.org/x">another</a></li></ul>
        <blockquote><p>What somebody else had said about section \(number).</p></blockquote>
        <pre>let number = \(number)
        print(number)</pre>

        """
    }
    return html
  }()

  /// Much the same in lines of 76 columns, as a pager of plain text is given it.
  static let text: String = {
    var text = beginning + "\n"
    var number = 0
    while text.utf8.count < 1_000_000 {
      number += 1
      text += """

        Section \(number)

        Some text with a link[\(number)], emphasis, weight and code, as long as a paragraph
        is in most articles that people write: longer than a line, and shorter than
        the screen is high.

        • one thing
        • and another[1]

        ▎ What somebody else had said about section \(number).

          let number = \(number)
          print(number)

        """
    }
    return text
  }()

  static let page = "<html><head><title>\(title)</title></head><body>\(html)</body></html>"

  static let feed = """
    <?xml version="1.0" encoding="UTF-8"?><rss version="2.0"
    xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>Long</title>
    <link>http://example.org/</link><item><title>\(title)</title><guid>long</guid>
    <pubDate>20 Nov 2025 10:00:00 GMT</pubDate>
    <content:encoded><![CDATA[\(html)]]></content:encoded></item></channel></rss>

    """
}
