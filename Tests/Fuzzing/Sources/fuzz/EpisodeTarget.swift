import Limits

@testable import Articles

/// The chapters and the transcript of an episode are read or refused in every form, within the budget,
/// and what comes of them can be shown.
func fuzzEpisodes(_ bytes: [UInt8]) -> Int32 {
  let bytes = Array(String(decoding: bytes, as: UTF8.self).utf8)
  let chapters = counted(bytes) {
    try? ChapterFile.chapters(bytes, address: "https://example.org/chapters.json", budget: $0)
  }
  for chapter in chapters ?? [] {
    precondition(!chapter.title.utf8.contains { $0 < 0x20 }, "a title that is no line")
    requireWeb([chapter.link])
  }
  for format in TranscriptFormat.allCases where format != .html {
    let cues = counted(bytes) { try? TranscriptReader.cues(bytes, format, budget: $0) }
    for cue in cues ?? [] {
      precondition(!cue.text.utf8.contains { $0 < 0x20 }, "words that are no line")
    }
    check(Transcript.document(of: cues ?? []))
  }
  return 0
}
