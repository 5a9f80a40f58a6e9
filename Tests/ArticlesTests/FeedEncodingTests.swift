import PseudoTerminal
import Testing

@testable import Articles

@Suite struct FeedEncodingTests {
  private func title(_ bytes: [UInt8], charset: String? = nil) throws -> String {
    try FeedParser.parse(bytes, address: "https://example.org/", charset: charset).title
  }

  private func document(_ title: [UInt8], encoding: String? = nil) -> [UInt8] {
    let declaration = encoding.map { "<?xml version=\"1.0\" encoding=\"\($0)\"?>" } ?? ""
    return Array("\(declaration)<rss><channel><title>".utf8) + title
      + Array("</title></channel></rss>".utf8)
  }

  private func bytes(_ digits: String) throws -> [UInt8] {
    let digits = Array(digits)
    return try stride(from: 0, to: digits.count, by: 2).map {
      try #require(UInt8(String(digits[$0...($0 + 1)]), radix: 16))
    }
  }

  @Test func `UTF-16 is read with and without a mark, in both orders`() throws {
    let text =
      "<?xml version=\"1.0\" encoding=\"utf-16\"?><rss><channel><title>żółw 🧦</title></channel></rss>"
    let little = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let big = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    #expect(try title(little) == "żółw 🧦")
    #expect(try title(big) == "żółw 🧦")
    #expect(try title([0xFF, 0xFE] + little) == "żółw 🧦")
    #expect(try title([0xFE, 0xFF] + big) == "żółw 🧦")
  }

  @Test func `a byte order mark and white space may stand in front`() throws {
    #expect(try title([0xEF, 0xBB, 0xBF] + document(Array("ü".utf8))) == "ü")
    for start in ["\u{FEFF}\u{FEFF}", "\n\u{FEFF}", "\u{FEFF} \n\u{FEFF}"] {
      #expect(try title(Array(start.utf8) + document(Array("ü".utf8), encoding: "utf-8")) == "ü")
      let json =
        "\(start){\"version\": \"https://jsonfeed.org/version/1\", \"title\": \"ü\", \"items\": []}"
      #expect(try title(Array(json.utf8)) == "ü")
    }
    #expect(try title(Array("\r\n\t".utf8) + document(Array("ü".utf8), encoding: "utf-8")) == "ü")
  }

  @Test func `eight-bit encodings are read as declared`() throws {
    #expect(try title(document([0xFC, 0x80], encoding: "ISO-8859-1")) == "ü€")
    #expect(try title(document([0xB1], encoding: "iso-8859-2")) == "ą")
    #expect(try title(document([0xD2], encoding: "KOI8-R")) == "р")
    #expect(try title(document([0x83, 0x65], encoding: "Shift_JIS")) == "テ")
    #expect(try title(document([0xD2]), charset: "windows-1251") == "Т")
    #expect(try title(document([0xFC])) == "ü")
  }

  @Test(arguments: [
    // 囧中国镕
    (["gb2312", "GBK", "x-gbk", "gb_2312-80", "gb18030"], "87E5D6D0B9FAE946", "囧中国镕"),
    // Of four bytes.
    (["gb2312"], "9534B031D6D0", "𠮟中"),
    (["Shift_JIS", "x-sjis", "sjis", "ms_kanji", "windows-31j"], "8740EEE0878A", "①髙㈱"),
    (["euc-kr", "ks_c_5601-1987", "windows-949", "ksc5601"], "8C63B0A1", "똠가"),
    (["big5", "x-x-big5", "cn-big5", "csbig5"], "F9D6A4A4A1FEA1E3A145A3E1", "碁中／～‧€"),
    (["big5-hkscs"], "A4A4C6A1", "中①"), (["euc-jp"], "ADA1A5C6", "①テ"),
    (["koi8-ru"], "AEBE", "ўЎ"), (["gbk", "gb2312"], "80D7F3D3D2", "€左右"),
    (["iso-8859-9", "latin5"], "FD80", "ı€"), (["tis-620", "iso-8859-11"], "A180", "ก€"),
    (["x-cp1251"], "D2", "Т"), (["iso-8859-8-i", "logical"], "E0", "א"), (["ibm866"], "80", "А"),
    (["latin2", "ISO_8859-2:1987"], "B1", "ą"), (["x-mac-roman"], "8A", "ä"),
  ])
  func `a name means the encoding that browsers take it for`(
    labels: [String], bytes: String, text: String
  ) throws {
    let bytes = try self.bytes(bytes)
    let item =
      Array("<item><title>".utf8) + bytes + Array("</title><description>a &lt;b>".utf8) + bytes
      + Array("</description></item>".utf8)
    for label in labels {
      let declaration = "<?xml version=\"1.0\" encoding=\"\(label)\"?>"
      for (start, charset) in [(declaration, nil), ("", label), (declaration, label)] {
        let feed = try FeedParser.parse(
          Array("\(start)<rss><channel><title>".utf8) + bytes + Array("</title>".utf8) + item
            + Array("</channel></rss>".utf8), address: "https://example.org/", charset: charset)
        #expect(feed.title == text, "\(label)")
        #expect(feed.articles.map(\.title) == [text], "\(label)")
        #expect(feed.articles.map(\.html) == ["a <b>\(text)"], "\(label)")
      }
      let page = "<meta charset=\(label)>"
      guard !label.contains(":") else { continue }
      #expect(
        PageSource.utf8(Array(page.utf8) + bytes, charset: nil) == Array("\(page)\(text)".utf8))
    }
  }

  @Test func `a pair that no character has does not shift those behind it`() throws {
    // A pair for users' own characters, and one that lacks its second half.
    #expect(
      try title(document([0xB0, 0xA1, 0xC9, 0xA1, 0xB3, 0xAA], encoding: "euc-kr"))
        == "가\u{FFFD}나")
    #expect(try title(document([0xB0, 0xA1, 0xC9], encoding: "euc-kr")) == "가\u{FFFD}")
    // Three bytes that JIS X 0212 does not have.
    #expect(
      try title(document([0xC5, 0xEC, 0x8F, 0xA1, 0xA1, 0xB5, 0xFE], encoding: "euc-jp"))
        == "東\u{FFFD}京")
  }

  @Test(arguments: [
    ("euc-jp", "C5ECB5FE", "A0", "C2E7BAE5", "東京", "大阪"),
    ("Shift_JIS", "938C8B9E", "A0", "91E58DE3", "東京", "大阪"),
    ("Shift_JIS", "938C8B9E", "FD", "91E58DE3", "東京", "大阪"),
    ("gb2312", "D7F3", "FF", "D3D2", "左", "右"), ("euc-kr", "B0A1", "80", "B3AA", "가", "나"),
    ("big5", "A4A4", "FF", "A4E5", "中", "文"),
  ])
  func `a stray byte that begins no pair does not shift those behind it`(
    encoding: String, start: String, stray: String, end: String, before: String, after: String
  ) throws {
    let bytes = try bytes(start + stray + end)
    #expect(try title(document(bytes, encoding: encoding)) == "\(before)\u{FFFD}\(after)")
  }

  @Test func `UTF-8 is recognised under every name`() throws {
    #expect(try title(document(Array("żółw".utf8), encoding: "iso-8859-1")) == "żółw")
    #expect(try title(document(Array("żółw".utf8), encoding: "nonsense/../x")) == "żółw")
    #expect(try title(document(Array("żółw".utf8)), charset: "us-ascii") == "żółw")
  }

  @Test func `a broken character does not cost the feed`() throws {
    let broken = Array("Fußgänger".utf8) + [0xFF] + Array("überweg".utf8)
    for encoding in ["utf-8", nil] {
      #expect(try title(document(broken, encoding: encoding)) == "Fußgänger\u{FFFD}überweg")
    }
    // Cut within a character.
    let cut = Array("It’s a —".utf8.dropLast())
    #expect(try title(document(cut, encoding: "utf-8")) == "It’s a \u{FFFD}")
    #expect(try title(document([0x83], encoding: "Shift_JIS")).contains("\u{FFFD}"))
  }

  @Test func `windows-1252 that is declared as UTF-8 is read as what it is`() throws {
    let bytes: [UInt8] = [0x46, 0xFC, 0xDF, 0x65, 0x20, 0x93, 0x61, 0x94]
    for encoding in ["utf-8", "UTF8", "utf-16", nil] {
      #expect(try title(document(bytes, encoding: encoding)) == "Füße “a”")
      #expect(try title(document(bytes, encoding: encoding), charset: "utf-8") == "Füße “a”")
    }
    // Two of its characters, É and », that are one in UTF-8.
    let accident: [UInt8] = [0xAB, 0x43, 0x41, 0x46, 0xC9, 0xBB, 0x20, 0xE9, 0x74, 0xE9]
    #expect(try title(document(accident, encoding: "utf-8")) == "«CAFÉ» été")
    // What else is declared still counts.
    #expect(try title(document([0xB1], encoding: "iso-8859-2"), charset: "utf-8") == "ą")
  }

  @Test func `where latin-1 and UTF-8 are both declared, the text decides`() throws {
    let broken = Array("Fußgänger".utf8) + [0xFF] + Array("überweg".utf8)
    let latin: [UInt8] = [0x46, 0xFC, 0xDF, 0x65]
    for (charset, encoding) in [("iso-8859-1", "utf-8"), ("utf-8", "windows-1252")] {
      #expect(
        try title(document(broken, encoding: encoding), charset: charset)
          == "Fußgänger\u{FFFD}überweg")
      #expect(try title(document(latin, encoding: encoding), charset: charset) == "Füße")
    }
    // Where only latin-1 is declared, it is.
    let declared: [UInt8] = [0xC9, 0xBB, 0x20, 0xE9]
    #expect(try title(document(declared, encoding: "iso-8859-1")) == "É» é")
  }

  @Test func `characters that were cut do not count against UTF-8`() throws {
    let cut = Array("…".utf8.dropLast())
    #expect(try title(document(Array("It ends".utf8) + cut)) == "It ends\u{FFFD}")
    let more = Array("ü ".utf8) + cut + Array(" ".utf8) + Array("🧦".utf8.dropLast())
    #expect(try title(document(more, encoding: "utf-8")) == "ü \u{FFFD} \u{FFFD}")
    // What looks like two bytes of a letter is the end of “fiancé’s” in windows-1252.
    #expect(try title(document([0x63, 0xE9, 0x92, 0x73], encoding: "utf-8")) == "cé’s")
    // Their first bytes alone are letters of windows-1252.
    #expect(try title(document([0xE2, 0x74, 0x20, 0xE9], encoding: "utf-8")) == "ât é")
  }

  @Test func `encodings of seven bits are converted`() throws {
    let japanese: [UInt8] = [0x1B, 0x24, 0x42, 0x25, 0x46, 0x1B, 0x28, 0x42]
    #expect(try title(document(japanese, encoding: "ISO-2022-JP")) == "テ")
  }

  @Test func `what is UTF-8 is what the standard library takes for it`() {
    let edges: [UInt8] = [
      0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1,
      0xEC,
      0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
    ]
    forEachSeed(2_000) { generator, seed in
      var bytes = Array("ab żółw 東京の靴下 🧦 \u{10FFFF}\u{800}\u{D7FF}\u{E000}".utf8)
      bytes.removeFirst(Int.random(in: 0...12, using: &generator))
      bytes.removeLast(Int.random(in: 0...12, using: &generator))
      for _ in 0..<Int.random(in: 0...2, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        bytes[place] = edges.randomElement(using: &generator) ?? 0
      }
      let expected = String(validating: bytes, as: UTF8.self) != nil
      #expect(SourceText.isValid(bytes) == expected, "seed \(seed): \(bytes)")
    }
  }
}
