import Limits
import Testing

@testable import Articles

/// The files that feeds name for episodes, as they are read.
@Suite struct TranscriptTests {
  private func cues(_ text: String, _ format: TranscriptFormat) throws -> [Transcript.Cue] {
    try TranscriptReader.cues(
      Array(text.utf8), format, budget: Budget(bytes: text.utf8.count) { false })
  }

  private func chapters(_ text: String) throws -> [Chapter] {
    try ChapterFile.chapters(
      Array(text.utf8), address: "https://example.org/e/c.json",
      budget: Budget(bytes: text.utf8.count) { false })
  }

  private func lines(_ cues: [Transcript.Cue]) -> [String] {
    cues.map { "\($0.start ?? -1)-\($0.end ?? -1) \($0.speaker ?? "?"): \($0.text)" }
  }

  @Test func `WebVTT is read with its times and voices, without its notes and styles`() throws {
    let text = """
      WEBVTT - of an episode

      NOTE nobody: sees this

      STYLE
      ::cue { color: red }

      intro
      00:01.500 --> 00:04.000 align:start
      <v.loud Ada Lovelace>Good <i>morning</i> &amp; welcome.
      Second line.

      01:02:03.000 --> 01:02:05.000
      <v Ada>Yes?</v> <v Bo>No &lt;really&gt;.
      """
    #expect(
      lines(try cues(text.replacing("\n", with: "\r\n"), .vtt)) == [
        "1-4 Ada Lovelace: Good morning & welcome. Second line.", "3723-3725 Ada: Yes?",
        "3723-3725 Bo: No <really>.",
      ])
  }

  @Test func `the times of single words are no part of the text`() throws {
    let text = """
      WEBVTT

      00:01.000 --> 00:04.000
      And<00:01.500><c> here</c><00:02.000><c> we are</c>, 1 <2> 3 <4
      """
    #expect(lines(try cues(text, .vtt)) == ["1-4 ?: And here we are, 1 <2> 3 <4"])
  }

  @Test func `SubRip is read, with the names that stand in front of what is said`() throws {
    let text = """
      1
      00:00:00,000 --> 00:00:02,500
      Kevin: We have <b>tea</b>.

      2
      00:00:02,500 --> 00:00:04,000
      and http://cake.example/a: yes

      3
      soon --> later
      Never
      """
    #expect(
      lines(try cues(text, .subRip)) == [
        "0-2 Kevin: We have tea.", "2-4 ?: and http://cake.example/a: yes",
      ])
  }

  @Test func `JSON of one word each becomes paragraphs, and plain text keeps its own`() throws {
    let text = """
      {"version": "1.0.0", "segments": [
        {"speaker": "Ada", "startTime": 0.5, "endTime": 0.9, "body": "We"},
        {"speaker": "Ada", "startTime": 1, "endTime": 1.5, "body": "have tea."},
        {"speaker": "Bo", "startTime": 2, "body": "Good."}, {"body": ""}, 7]}
      """
    let document = Transcript.document(of: try cues(text, .json))
    #expect(
      document.blocks == [
        .paragraph([
          .text("0:00", .dimmed), .text(" "), .text("Ada:", .strong), .text(" We have tea."),
        ]),
        .paragraph([.text("0:02", .dimmed), .text(" "), .text("Bo:", .strong), .text(" Good.")]),
      ])
    let plain = "First line\nof one.\n\nADA: Tea?\nBO: Cake. The time\nis 12:30.\n"
    #expect(
      lines(try cues(plain, .plain)) == [
        "-1--1 ?: First line of one.", "-1--1 ADA: Tea?", "-1--1 BO: Cake. The time is 12:30.",
      ])
  }

  @Test func `a paragraph ends with a pause, another speaker, or a sentence when it is long`() {
    func cue(_ start: Int, _ text: String, _ speaker: String? = nil) -> Transcript.Cue {
      Transcript.Cue(start: start, end: start + 1, speaker: speaker, text: text)
    }
    let short = [cue(0, "One", "Ada"), cue(1, "two"), cue(9, "three"), cue(10, "four", "Bo")]
    #expect(Transcript.paragraphs(of: short).map(\.text) == ["One two", "three", "four"])
    #expect(Transcript.paragraphs(of: short).map(\.speaker) == ["Ada", nil, "Bo"])
    let words = (0..<100).map { cue($0, "A sentence that is said\($0 % 10 == 9 ? "." : "")") }
    let long = Transcript.paragraphs(of: words)
    #expect(long.allSatisfy { $0.text.hasSuffix(".") && $0.text.utf8.count < 1_000 })
    let endless = (0..<100).map { cue($0, "words without an end") }
    #expect(Transcript.paragraphs(of: endless).allSatisfy { $0.text.utf8.count < 1_100 })
    #expect(Transcript.paragraphs(of: endless).count > 1)
  }

  @Test func `chapters are read in the order of their times, without what is in no list`() throws {
    let all = try chapters(
      """
      {"version": "1.2.0", "chapters": [
        {"startTime": 168.7, "endTime": 200, "title": "Second \\u001b[2J", "url": "../two"},
        {"startTime": 0, "title": "First", "img": "x", "url": "javascript:x"},
        {"startTime": 90, "title": "An advertisement", "toc": false},
        {"startTime": "300"}, {"title": "Never"}, {"startTime": -1}, {"startTime": "nan"},
        {"startTime": 1e300}, 7]}
      """)
    #expect(
      all == [
        Chapter(id: 1, start: 0, title: "First"),
        Chapter(
          id: 2, start: 168, end: 200, title: "Second [2J", link: "https://example.org/two"),
        Chapter(id: 3, start: 300, title: "Chapter 3"),
      ])
    #expect(throws: FeedError.self) { try chapters("<html>") }
    #expect(try chapters("[]").isEmpty)
  }

  @Test func `there are only so many chapters and parts of a transcript`() {
    let chapter = "{\"startTime\":1},"
    #expect(throws: FeedError.tooMuch(.count(.chapters, limit: 2_000))) {
      try chapters("{\"chapters\":[\(String(repeating: chapter, count: 2_001))]}")
    }
    let cue = "00:01.000 --> 00:02.000\na\n\n"
    #expect(throws: FeedError.tooMuch(.count(.cues, limit: 100_000))) {
      try cues(String(repeating: cue, count: 100_001), .vtt)
    }
  }

  @Test func `chapters that a feed has itself are in the order of their times`() {
    var chapters = FeedChapters()
    for (title, start) in [("End", "99"), ("Start", "0"), ("Middle", "50")] {
      chapters.add(title, at: start)
    }
    #expect(
      FeedChapters.chapters(in: chapters.html) == [
        Chapter(id: 1, start: 0, title: "Start"), Chapter(id: 2, start: 50, title: "Middle"),
        Chapter(id: 3, start: 99, title: "End"),
      ])
  }

  @Test func `chapters that a feed has itself are read back from its text`() {
    var chapters = FeedChapters()
    chapters.add("Hello <b> & tea", at: "00:00:00.000")
    chapters.add("</li></ul>", at: "1:02:05")
    let html = "<p>Words</p>" + chapters.html
    #expect(
      FeedChapters.chapters(in: html) == [
        Chapter(id: 1, start: 0, title: "Hello <b> & tea"),
        Chapter(id: 2, start: 3725, title: "</li></ul>"),
      ])
    #expect(FeedChapters.chapters(in: html + "<p>After</p>").isEmpty)
    #expect(FeedChapters.chapters(in: "<h2>Chapters</h2><ul><li>x</li><li>y z</li></ul>").isEmpty)
    #expect(FeedChapters.chapters(in: "").isEmpty)
  }

  @Test func `the transcript in the user's language goes first, and then the form that says most`()
  {
    func best(_ named: [(String, String?)], _ languages: [String] = []) -> String? {
      let attachments = named.enumerated().map {
        Attachment(
          address: "https://example.org/\($0)",
          type: Attachment.transcript($1.0, language: $1.1))
      }
      return TranscriptFormat.best(of: attachments, languages: languages).map {
        "\($0.format) \($0.attachment.transcriptParts.language ?? "-")"
      }
    }
    let forms = ["text/plain", "text/html", "application/json", "application/srt", "text/vtt"]
    #expect(best(forms.map { ($0, nil) }) == "vtt -")
    #expect(best(forms.dropLast().map { ($0, nil) }) == "subRip -")
    #expect(best([("text/plain", nil), ("application/x-subrip", nil)]) == "subRip -")
    let several = [("text/vtt", "en"), ("text/html", "de-AT"), ("text/plain", "fr")]
    #expect(best(several, ["de_DE", "en"]) == "html de-at")
    #expect(best(several, ["nl"]) == "vtt en")
    #expect(best([("text/html", nil), ("text/vtt", "en")], ["de"]) == "html -")
    // In none of the user's languages: in that which the feed names first.
    let foreign = [("application/srt", "en"), ("text/vtt", "de"), ("text/plain", "en")]
    #expect(best(foreign) == "subRip en")
    #expect(best(foreign, ["nl"]) == "subRip en")
    #expect(best(foreign + [("text/vtt", "en-GB")]) == "vtt en-gb")
    #expect(best([("application/pdf", nil)]) == nil)
    #expect(best([("text/vtt; charset=utf-8", "x; rel=no")]) == "vtt -")
  }
}

private func read(
  _ name: String, count: Int = 400, _ format: TranscriptFormat,
  _ text: @escaping @Sendable (Int) -> String
) -> Growth {
  Growth(name: name, count: count, text: text) { bytes, budget in
    let cues = try? TranscriptReader.cues(bytes, format, budget: budget)
    _ = Transcript.document(of: cues ?? [])
  }
}

extension GrowthTests {
  /// What feeds name for episodes.
  static let episodes: [Growth] = [
    read("cues", .vtt) { times($0, "00:01.000 --> 00:02.000\na\n\n") },
    read("lines of a cue", .vtt) { "00:01.000 --> 00:02.000\n" + times($0, "word\n") },
    read("voices of a cue", .vtt) { "00:01.000 --> 00:02.000\n" + times($0, "<v A>b ") },
    read("voices that do not end", .vtt) { "00:01.000 --> 00:02.000\n" + times($0, "<v A b ") },
    read("voices that end late", .vtt) { "00:01.000 --> 00:02.000\n" + times($0, "<v A ") + ">" },
    read("tags that do not end", .vtt) { "00:01.000 --> 00:02.000\n" + times($0, "<i a='") },
    read("references of a cue", .vtt) { "00:01.000 --> 00:02.000\n" + times($0, "&amp;&x") },
    read("marks of a cue", .vtt) { "00:01.000 --> 00:02.000\na" + times($0, marks) },
    read("a name of marks", .vtt) { "00:01.000 --> 00:02.000\n<v a\(times($0, marks))>b" },
    read("arrows", .subRip) { times($0, "-->") },
    read("arrows in lines", .subRip) { times($0, "0 --> 0\n") },
    read("a time of colons", .subRip) { times($0, "0:") + " --> 1" },
    read("empty lines of a transcript", .subRip) { times($0, "\r\n") },
    read("speakers", .plain) { times($0, "Ada: b\n") },
    read("a plain paragraph", .plain) { times($0, "words\n") },
    read("colons of a speaker", .plain) { times($0, "A:") },
    read("segments", .json) {
      "{\"segments\":[\(times($0, "{\"startTime\":1,\"body\":\"a\"},"))]}"
    },
    read("bodies of a segment", .json) { "{\"segments\":[{\(times($0, "\"body\":\"a\","))}]}" },
    read("a speaker of marks", .json) {
      "{\"segments\":[{\"speaker\":\"\(times($0, marks))\",\"body\":\"a\"}]}"
    },
    Growth(
      name: "chapters", count: 50,
      text: { "{\"chapters\":[\(times($0, "{\"startTime\":1,\"title\":\"a\"},"))]}" },
      read: { _ = try? ChapterFile.chapters($0, address: "https://e.org/", budget: $1) }),
    Growth(
      name: "lists of chapters",
      text: { "{\(times($0, "\"chapters\":[{\"startTime\":1}],"))}" },
      read: { _ = try? ChapterFile.chapters($0, address: "https://e.org/", budget: $1) }),
  ]
}
