import Limits
import Testing

@testable import Articles

private func blocks(_ html: String) -> [Block] {
  HTMLRenderer.document(html: html, base: "https://example.org/blog/post").blocks
}

private func text(_ text: String) -> Block { .paragraph([.text(text)]) }

@Suite struct HTMLRendererTests {
  @Test func `headings, paragraphs and rules become blocks`() {
    #expect(
      blocks("<h1>A</h1>b<p>c<h3>d</h3><hr>e") == [
        .heading(level: 1, [.text("A")]), text("b"), text("c"),
        .heading(level: 3, [.text("d")]), .rule, text("e"),
      ])
  }

  @Test func `white space collapses across elements as in a browser`() {
    #expect(
      blocks("  a \n <b> b</b> <i>c </i> d  <br>\n e ") == [
        .paragraph([
          .text("a "), .text("b", .strong), .text(" "), .text("c ", .emphasis), .text("d"),
          .lineBreak,
          .text("e"),
        ])
      ])
    #expect(blocks("a&nbsp;&nbsp;b") == [text("a\u{A0}\u{A0}b")])
    #expect(blocks("<p> \n </p><div>&#9;</div>") == [])
  }

  @Test func `styles nest and end`() {
    #expect(
      blocks("<b>a<i>b<code>c</code></i></b><del>d</del>") == [
        .paragraph([
          .text("a", .strong), .text("b", [.strong, .emphasis]),
          .text("c", [.strong, .emphasis, .code]), .text("d", .strikethrough),
        ])
      ])
  }

  @Test func `lists nest, count and keep their paragraphs`() {
    #expect(
      blocks("<ul><li>a<ul><li>b</ul><li><p>c<p>d</ul><ol start=4><li>e</ol>") == [
        .list(
          .bullets,
          items: [
            [text("a"), .list(.bullets, items: [[text("b")]])], [text("c"), text("d")],
          ]),
        .list(.numbers(from: 4), items: [[text("e")]]),
      ])
    #expect(blocks("<li>stray") == [.list(.bullets, items: [[text("stray")]])])
    #expect(
      blocks("<ul>loose<li>b</ul>") == [
        .list(.bullets, items: [[text("loose")], [text("b")]])
      ])
  }

  @Test func `lists have the numerals and the terms that were chosen`() {
    #expect(
      blocks("<ol type=a start=3><li>x</ol><ol type=I><li>y</ol><ol type=z><li>z</ol>") == [
        .list(.numbers(from: 3, as: .lowerLetters), items: [[text("x")]]),
        .list(.numbers(from: 1, as: .upperRoman), items: [[text("y")]]),
        .list(.numbers(from: 1), items: [[text("z")]]),
      ])
    #expect(
      blocks("<ol>\n<li value=4>x<li>y</ol><ol start=2><li value=7>z</ol>") == [
        .list(.numbers(from: 4), items: [[text("x")], [text("y")]]),
        .list(.numbers(from: 7), items: [[text("z")]]),
      ])
    let term = Block.paragraph([.text("Wool", .strong)])
    let other = Block.paragraph([.text("Felt", .strong)])
    #expect(
      blocks("<dl><dt>Wool<dd>warm<dd><p>and wet<dt>Felt</dl><p>end") == [
        .list(.terms, items: [[term, text("warm"), text("and wet")], [other]]), text("end"),
      ])
    #expect(
      blocks("<dl><div><dt>Wool</dt><dd>warm</dd></div></dl>") == [
        .list(.terms, items: [[term, text("warm")]])
      ])
    #expect(blocks("<dl><dd>warm</dl>") == [.list(.terms, items: [[text("warm")]])])
  }

  @Test func `numerals are counted as in a book, and in digits where they end`() {
    let letters = [0, 1, 26, 27, 52, 703].map(ListMarks.Numerals.lowerLetters.text)
    #expect(letters == ["0", "a", "z", "aa", "az", "aaa"])
    let numbers = [0, 4, 9, 14, 1999, 4000].map(ListMarks.Numerals.upperRoman.text)
    #expect(numbers == ["0", "IV", "IX", "XIV", "MCMXCIX", "4000"])
  }

  @Test func `quotes hold blocks`() {
    #expect(
      blocks("<blockquote><p>a</p><blockquote>b</blockquote></blockquote>c") == [
        .quote([text("a"), .quote([text("b")])]), text("c"),
      ])
  }

  @Test func `preformatted text keeps its spaces and names its language`() {
    #expect(
      blocks(
        "<pre><code class='x language-swift'>\n  let a = 1\n\n    b &lt; <i>c</i>\n</code></pre>")
        == [.code(language: "swift", text: "  let a = 1\n\n    b < c")])
    #expect(blocks("<pre>a<br>b</pre>") == [.code(language: nil, text: "a\nb")])
    #expect(blocks("<pre> \n </pre>") == [])
  }

  @Test func `lines of code that are elements of their own stay lines`() {
    #expect(
      blocks(
        "<pre><code><div>if a {</div><div>  b<br></div><div><br></div><div>}</div></code></pre>")
        == [.code(language: nil, text: "if a {\n  b\n\n}")])
    #expect(blocks("<pre>a<p>b\n</p>c</pre>") == [.code(language: nil, text: "a\nb\nc")])
  }

  @Test(arguments: [
    "&nbsp;", " &nbsp; ", "&#8203;", "&nbsp;<br>&nbsp;", "<b>&nbsp;</b>", "&shy;&#xFEFF;",
    "<a href=/x>&nbsp;</a>",
  ])
  func `a paragraph of invisible characters is none`(_ contents: String) {
    #expect(blocks("a<p>\(contents)</p>b<ul><li>\(contents)</ul>") == [text("a"), text("b")])
  }

  @Test func `a picture that is a character is text`() {
    let emoji = #"<img src="/1f600.png" alt="😀" class="wp-smiley" style="height: 1em">"#
    #expect(blocks("<p>Hi \(emoji)!</p>") == [text("Hi 😀!")])
    #expect(blocks("<p>Hi <img class=emoji src=s.png></p>").count == 1)
    let page =
      "<body><p>\(String(repeating: "Words, words. ", count: 60))</p><p>Hi \(emoji)!</p></body>"
    let found = ArticleExtractor.text(of: page, address: "https://example.org/")
    #expect(blocks(found?.html ?? "").last == text("Hi 😀!"))
  }

  @Test func `a picture that is repeated for browsers without scripts is shown once`() {
    let picture = Block.picture(Picture(alt: "", address: "https://example.org/blog/s.png"))
    let twice = "<img src='data:x' data-src=s.png><noscript><img src=s.png></noscript>"
    #expect(blocks(twice) == [picture])
    #expect(
      blocks("<figure>\(twice)</figure>a<p><img src=s.png>") == [picture, text("a"), picture])
  }

  @Test func `a picture between invisible characters stands alone`() {
    let picture = Picture(alt: "", address: "https://example.org/blog/s.png")
    #expect(blocks("<p>&nbsp;<img src=s.png>&nbsp;</p>") == [.picture(picture)])
  }

  @Test func `links are numbered by address, and only safe ones are links`() {
    let document = HTMLRenderer.document(
      html: """
        <a href="../x">x</a> <a href="HTTPS://example.org/y?a=1&amp;b=2#z">y</a>
        <a href="/x">x again</a> <a href="javascript:alert(1)">j</a> <a href="mailto:a@b.c">m</a>
        <a href="#note">n</a> <a href="file:///etc/passwd">f</a> <a href="/unseen"> </a>
        <a href=" java\nscript:x">k</a> <a href="data:text/html,x">d</a>
        """, base: "https://example.org/blog/post")
    #expect(
      document.links == [
        Link(number: 1, address: "https://example.org/x"),
        Link(number: 2, address: "https://example.org/y?a=1&b=2#z"),
        Link(number: 3, address: "mailto:a@b.c"),
      ])
    guard case .paragraph(let runs)? = document.blocks.first else {
      Issue.record("no paragraph")
      return
    }
    let linked = runs.compactMap { run -> String? in
      guard case .text(let text, _, let link?) = run else { return nil }
      return "\(link):\(text)"
    }
    #expect(linked == ["1:x", "2:y", "1:x again", "3:m"])
  }

  @Test(arguments: [
    ("w<sup><a href=#n>1</a></sup>", "w[1]"), ("w<a href=#n><sup>1</sup></a>", "w[1]"),
    ("w<sup><a href=#nowhere>1</a></sup>", "w[1]"),
    ("w<sup><a href=#n>1</a>, <a href=#n>2</a></sup>", "w[1], [2]"),
    ("w<sup><a href=#n><span>[</span>1<span>]</span></a></sup>", "w[1]"),
    ("w<sup><a href=#n>(1)</a></sup>", "w(1)"), ("w<sup><a href=#n><i></i></a></sup>", "w"),
  ])
  func `the number of a note stands in brackets, apart from the word before it`(
    html: String, words: String
  ) {
    guard case .paragraph(let runs)? = blocks("<p>\(html)</p><p id=n>Note</p>").first else {
      Issue.record("no paragraph")
      return
    }
    #expect(runs.words == words)
  }

  @Test func `a footnote is a place that its number leads to, and back`() {
    let document = HTMLRenderer.document(
      html: """
        <p>A word.<sup><a href="#n" id="r">1</a></sup> <a href="#nowhere">x</a></p>
        <hr><ol><li id="n"><p>The note. <a href="#r">Back</a></p></li></ol>
        """)
    #expect(document.links == [])
    #expect(
      document.jumps == [Link(number: -1, address: "#n"), Link(number: -2, address: "#r")])
    #expect(
      document.blocks == [
        .paragraph([.text("A word."), .anchor("r"), .text("[1]", link: -1), .text(" x")]), .rule,
        .list(
          .numbers(from: 1),
          items: [
            [.paragraph([.anchor("n"), .text("The note. "), .text("Back", link: -2)])]
          ]),
      ])
  }

  @Test func `pictures stand alone or in a line`() {
    let picture = Picture(alt: "A sock", address: "https://example.org/blog/s.png")
    #expect(blocks("<p><img src=s.png alt=' A\nsock '></p>") == [.picture(picture)])
    #expect(
      blocks("<p>a <img src=s.png alt='A sock'></p>") == [
        .paragraph([.text("a "), .picture(picture)])
      ])
    #expect(
      blocks("<a href=/b><img src=s.png alt='A sock'></a>") == [
        .paragraph([.picture(picture, link: 1)])
      ])
    #expect(blocks("<img src=pixel.gif width=1 height=1><img src='data:x'><img>") == [])
    #expect(blocks("<img src=x.gif data-src=s.png alt='A sock' srcset=y>").count == 1)
  }

  @Test(arguments: [
    "src=spacer.gif data-src=s.png", "src='data:x' data-lazy-src=s.png",
    "srcset='small.png 1x, s.png 2x'", "src=s.png data-src='data:x'", "src=s.png srcset='l.png 2x'",
  ])
  func `the picture of a feed is where the script of a page would look for it`(_ names: String) {
    let picture = Picture(alt: "A sock", address: "https://example.org/blog/s.png")
    #expect(blocks("<img alt='A sock' \(names)>") == [.picture(picture)])
  }

  @Test func `the cell after one that spans columns is in its own column`() throws {
    let table = try #require(
      firstTable(
        """
        <table><tr><th>a<th>b<th>c<tr><td colspan=2>1<td>2<tr><td>3<td colspan=999>4
        <tr><td colspan=x>5<td colspan=0>6</table>
        """))
    let texts = table.rows.map { $0.map(\.words) }
    #expect(texts == [["a", "b", "c"], ["1", "", "2"], ["3", "4"], ["5", "6"]])
    #expect(table.hasHeader)
  }

  @Test func `the cells below one that spans rows are in their own columns`() throws {
    let table = try #require(
      firstTable(
        """
        <table><tr><th>a<th>b<th>c<tr><td rowspan=2>1<td>2<td>3<tr><td>4<td>5
        <tr><td>6<td colspan=2 rowspan=2>7<tr><td>8<td>9<tr><td>10<td rowspan=0>11</table>
        """))
    let texts = table.rows.map { $0.map(\.words) }
    #expect(
      texts == [
        ["a", "b", "c"], ["1", "2", "3"], ["", "4", "5"], ["6", "7"], ["8", "", "", "9"],
        ["10", "11"],
      ])
  }

  @Test func `a column is aligned as its cells say, or else its heading`() throws {
    let table = try #require(
      firstTable(
        """
        <table><tr><th>a<th align=center>b<th align=left>c<th>d
        <tr><td>1<td>2<td style="color: red; Text-Align : RIGHT">3<td align=justify>4
        <tr><td>1<td>2<td align=center>3<td>4</table>
        """))
    #expect(table.alignments == [.left, .center, .right])
    #expect((0...3).map(table.alignment) == [.left, .center, .right, .left])
  }

  private func firstTable(_ html: String) -> Table? {
    if case .table(let table)? = blocks(html).first { table } else { nil }
  }

  @Test func `tables of data have rows, and tables of layout dissolve`() {
    #expect(
      blocks("<table><caption>C</caption><tr><th>a<th>b<tr><td>1<td><p>2<p>3</table>") == [
        text("C"),
        .table(
          Table(
            rows: [
              [[.text("a")], [.text("b")]],
              [[.text("1")], [.text("2"), .lineBreak, .text("3")]],
            ], hasHeader: true)),
      ])
    #expect(
      blocks("<table><tr><td>one column<tr><td><ul><li>x</ul></table>") == [
        text("one column"), .list(.bullets, items: [[text("x")]]),
      ])
    #expect(
      blocks("<table>\n <tr>\n <td>a<p>b</p></td>\n </tr>\n</table>") == [text("a"), text("b")])
    #expect(
      blocks("<table><tr><td>a<td><table><tr><td>b<td>c</table></table>") == [
        text("a"), .table(Table(rows: [[[.text("b")], [.text("c")]]], hasHeader: false)),
      ])
  }

  @Test func `what is not to be seen is left out`() {
    #expect(
      blocks(
        """
        <script>x</script><style>y</style><template>t</template><!-- c --><p hidden>h</p>
        <p style="display : none">n</p><select><option>o</select><svg><text>s</text></svg>a
        """) == [text("a")])
  }

  @Test func `entities are decoded, and marks that plain text would lose are written`() {
    #expect(blocks("&copy; &eacute; &#x1F9E6; &hellip; &unknown;") == [text("© é 🧦 … &unknown;")])
    #expect(blocks("10<sup>6</sup> <q>x</q>") == [text("10⁶ “x”")])
    #expect(
      blocks("21<sup>st</sup> 1<sup>ER</sup> A<sup>®</sup> 2<sup>n</sup>") == [
        text("21st 1ER A® 2^n")
      ])
  }

  @Test(arguments: [
    ("x<sup>2</sup>", "x²"), ("10<sup>-3</sup>", "10⁻³"), ("<sup>14</sup>C", "¹⁴C"),
    ("H<sub>2</sub>O", "H₂O"), ("x<sub> 12 </sub>y", "x₁₂y"), ("x<sub>i</sub>", "x_i"),
    ("x<sub>max</sub>", "x_max"), ("e<sup>x+1</sup>", "e^(x+1)"),
    ("x<sub>i, j</sub>", "x_(i, j)"), ("e<sup><em>x</em></sup>", "e^x"),
    ("e<sup><em>x</em>y</sup>", "e^(xy)"), ("<b>x<sup>2</sup></b>", "x²"),
    // Small print.
    ("<sub>Photo: Ann</sub>", "Photo: Ann"), ("a <sub>b</sub>", "a b"),
    ("a<sub>by <a href=http://b/>Ann</a></sub>", "aby Ann"), ("a<sub></sub>b", "ab"),
  ])
  func `raised and lowered text is told from what is before it`(html: String, expected: String) {
    guard case .paragraph(let runs)? = blocks(html).first else {
      Issue.record("no paragraph")
      return
    }
    #expect(runs.words == expected)
  }

  @Test func `items have the numbers that they have in a browser`() {
    #expect(
      blocks("<ol reversed><li>x<li>y<li>z</ol>") == [
        .list(.numbers(from: 3, by: -1), items: [[text("x")], [text("y")], [text("z")]])
      ])
    #expect(
      blocks("<ol reversed start=9><li>x<li>y</ol>") == [
        .list(.numbers(from: 9, by: -1), items: [[text("x")], [text("y")]])
      ])
    #expect(
      blocks("<ol><li value=1>w<li value=2>x<li value=7>y<li>z</ol>") == [
        .list(.numbers(from: 1), items: [[text("w")], [text("x")]]),
        .list(.numbers(from: 7), items: [[text("y")], [text("z")]]),
      ])
    #expect(
      blocks("<ul><li value=4>x</ul>") == [.list(.bullets, items: [[text("x")]])])
  }

  @Test(arguments: [
    (
      """
      <math><semantics><msup><mi>x</mi><mn>2</mn></msup>
      <annotation encoding="application/x-tex">x^2</annotation></semantics></math>
      """, "x^2"
    ),
    (#"<math alttext="\frac{a}{b}"><mfrac><mi>a</mi><mi>b</mi></mfrac></math>"#, #"\frac{a}{b}"#),
    ("<math><mi>a</mi><mo>+</mo><mi>b</mi></math>", "a+b"),
    (
      "<math><semantics><mi>a</mi><annotation encoding=StarMath>{a}</annotation></semantics></math>",
      "a"
    ),
  ])
  func `a formula is written once, as TeX if the page has that`(math: String, words: String) throws
  {
    #expect(blocks("<p>Let \(math) be.</p>") == [text("Let \(words) be.")])
    let filler = String(repeating: "Words, words. ", count: 60)
    let page = "<body><p>\(filler)</p><p>Let \(math) be.</p></body>"
    let found = try #require(ArticleExtractor.text(of: page, address: "https://example.org/"))
    #expect(blocks(found.html).last == text("Let \(words) be."))
  }

  @Test func `addresses in the text are links, without the signs around them`() {
    let document = HTMLRenderer.document(
      html: """
        <p>See https://example.org/a_(b), (http://example.org/c) and “https://example.org/d”.
        HTTPS://example.org/e! xhttp://no.example http:// <code>http://example.org/code</code>
        <a href="/f">http://example.org/shown</a></p><pre>http://example.org/pre</pre>
        """, base: "https://example.org/")
    #expect(
      document.links.map(\.address) == [
        "https://example.org/a_(b)", "http://example.org/c", "https://example.org/d",
        "https://example.org/e", "https://example.org/f",
      ])
    #expect(
      blocks("a http://example.org/x.") == [
        .paragraph([.text("a "), .text("http://example.org/x", link: 1), .text(".")])
      ])
  }

  @Test func `sounds and films are links to the first form that can be had`() {
    let document = HTMLRenderer.document(
      html: """
        <audio controls><source src="data:x"><source src="/a.ogg"><source src="/a.mp3">No</audio>
        <video src="/v.mp4"></video><audio></audio>
        """, base: "https://example.org/")
    #expect(
      document.blocks == [
        .paragraph([.text("Audio: "), .text("https://example.org/a.ogg", link: 1)]),
        .paragraph([.text("Video: "), .text("https://example.org/v.mp4", link: 2)]),
      ])
  }

  @Test func `boxes of tasks are ticked or not, and come back in Markdown`() {
    let html =
      "<ul><li><input type=checkbox checked disabled> done<li><INPUT TYPE=Checkbox> open</ul>"
    #expect(blocks(html) == [.list(.bullets, items: [[text("☑ done")], [text("☐ open")]])])
    #expect(MarkdownWriter(links: []).blocks(blocks(html)) == ["- [x] done\n- [ ] open"])
    #expect(blocks("<input value=x>a") == [text("a")])
  }

  @Test func `how characters are read stands in brackets behind them`() {
    #expect(
      blocks("<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp>字<rt>じ</rt></ruby>") == [text("漢(かん)字(じ)")])
  }

  @Test func `two line breaks end a paragraph`() {
    #expect(
      blocks("a<br><br>b<br>c<br>") == [
        text("a"), .paragraph([.text("b"), .lineBreak, .text("c")]),
      ])
  }

  @Test func `an element has no child past its last one`() throws {
    // The parser moves the paragraph out of the first element, whose list of children keeps it.
    let tree = try #require(HTMLTree("<b><p>x</b>", budget: Budget(bytes: 11)))
    let element = try #require(tree.root?.child(1)?.child(0))
    #expect(element.childCount == 0)
    #expect(withExtendedLifetime(tree) { element.child(0) == nil })
  }

  @Test func `text is valid Unicode whatever comes`() {
    let broken = String(decoding: [0x61, 0xFF, 0xC3, 0x28] as [UInt8], as: UTF8.self)
    #expect(blocks(broken + "\u{0}") == [text("a\u{FFFD}\u{FFFD}(")])
  }
}

extension [Inline] {
  fileprivate var words: String {
    map { if case .text(let text, _, _) = $0 { text } else { "" } }.joined()
  }
}
