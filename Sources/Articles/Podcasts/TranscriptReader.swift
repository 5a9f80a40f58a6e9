import Limits

/// Parses transcripts in WebVTT, SubRip, the JSON of `podcast:transcript`, and plain text.
///
/// Lines that cannot be parsed are skipped.
struct TranscriptReader {
  private let budget: Budget
  private var cues: [Transcript.Cue] = []

  private init(budget: Budget) { self.budget = budget }

  /// Parses a transcript; the bytes must be valid UTF-8.
  ///
  /// - Parameter format: not ``TranscriptFormat/html``, which has no cues.
  static func cues(
    _ bytes: [UInt8], _ format: TranscriptFormat, budget: Budget
  ) throws(FeedError) -> [Transcript.Cue] {
    var reader = TranscriptReader(budget: budget)
    if format == .json {
      try reader.readJSON(bytes)
    } else if format == .plain {
      reader.readPlain(bytes)
    } else {
      reader.readTimed(bytes)
    }
    if let end = budget.end { throw FeedError(end) }
    return reader.cues
  }

  private mutating func add(
    _ text: String, from start: Int?, to end: Int?, speaker: String? = nil
  ) {
    var (text, speaker) = (text, speaker)
    if speaker == nil, let named = SpeakerPrefix(text) {
      (speaker, text) = (named.name, named.rest)
    }
    guard !text.isEmpty else { return }
    cues.append(Transcript.Cue(start: start, end: end, speaker: speaker, text: text))
    budget.require(cues.count, atMost: Transcript.cueLimit, .cues)
  }

  private func line(_ text: String) -> String { PlainText.line(text, limit: Transcript.sizeLimit) }

  // MARK: WebVTT and SubRip

  /// In both formats a time such as `00:01.000 --> 00:04.000` precedes lines of text, which end
  /// with an empty line; other lines are numbers, names and notes.
  private mutating func readTimed(_ bytes: [UInt8]) {
    var time: (start: Int, end: Int?)?
    var payload: [UInt8] = []
    forEachLine(of: bytes) { reader, line in
      if let next = Self.time(line) {
        reader.addTimed(payload, time)
        (time, payload) = (next, [])
      } else if line.allSatisfy(isWhiteSpace) {
        reader.addTimed(payload, time)
        (time, payload) = (nil, [])
      } else if time != nil {
        payload += Self.withoutMarks(line)
        payload.append(0x0A)
      }
    }
    addTimed(payload, time)
  }

  private mutating func addTimed(_ payload: [UInt8], _ time: (start: Int, end: Int?)?) {
    guard let time, !payload.isEmpty else { return }
    for voice in Voice.voices(in: payload[...]) {
      budget.spend(voice.text.count)
      let text = HTMLText.text(
        String(outside: voice.text), limit: Transcript.sizeLimit, budget: budget)
      add(line(text), from: time.start, to: time.end, speaker: voice.name)
    }
  }

  /// Returns the times of a line with an arrow.
  private static func time(_ line: ArraySlice<UInt8>) -> (start: Int, end: Int?)? {
    // Settings for the position on the screen may follow, but a line with times is never long.
    guard line.count < 500, let arrow = line.firstRange(of: Array("-->".utf8)) else { return nil }
    func seconds(_ part: ArraySlice<UInt8>) -> Int? {
      let word = part.drop(while: isWhiteSpace).prefix { !isWhiteSpace($0) }
      let text = word.map { $0 == UInt8(ascii: ",") ? UInt8(ascii: ".") : $0 }
      return Attachment.time(String(decoding: text, as: UTF8.self))
    }
    guard let start = seconds(line[..<arrow.lowerBound]) else { return nil }
    return (start, seconds(line[arrow.upperBound...]))
  }

  /// Removes the tags that only WebVTT has, inside of words: the times of single words, such as
  /// `<00:01.500>`, classes and languages, such as `<c.yellow>` and `</lang>`.
  private static func withoutMarks(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard line.contains(UInt8(ascii: "<")) else { return line }
    var (rest, output) = (line, ArraySlice<UInt8>())
    while let byte = rest.popFirst() {
      let tag: ArraySlice<UInt8> =
        byte == UInt8(ascii: "<") ? rest.prefix(100).prefix { $0 != UInt8(ascii: ">") } : []
      if rest.dropFirst(tag.count).first == UInt8(ascii: ">"), isMark(tag) {
        rest = rest.dropFirst(tag.count + 1)
      } else {
        output.append(byte)
      }
    }
    return output
  }

  private static func isMark(_ tag: ArraySlice<UInt8>) -> Bool {
    if tag.contains(UInt8(ascii: ":")), tag.allSatisfy({ 0x2E...0x3A ~= $0 }) { return true }
    let name = tag.drop { $0 == UInt8(ascii: "/") }.prefix { 0x61...0x7A ~= $0 }
    return name.elementsEqual("c".utf8) || name.elementsEqual("lang".utf8)
  }

  // MARK: Plain text

  /// Empty lines separate paragraphs, and each line that begins with a speaker's name starts one.
  private mutating func readPlain(_ bytes: [UInt8]) {
    var paragraph: [UInt8] = []
    forEachLine(of: bytes) { reader, line in
      let isEmpty = line.allSatisfy(isWhiteSpace)
      if isEmpty || SpeakerPrefix(String(outside: line.prefix(SpeakerPrefix.length))) != nil {
        reader.add(reader.line(String(outside: paragraph)), from: nil, to: nil)
        paragraph = []
      }
      if !isEmpty {
        paragraph += line
        paragraph.append(0x0A)
      }
    }
    add(line(String(outside: paragraph)), from: nil, to: nil)
  }

  private mutating func forEachLine(
    of bytes: [UInt8], _ body: (inout TranscriptReader, ArraySlice<UInt8>) -> Void
  ) {
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
      guard budget.spend(2 * (end - start) + 8) else { return }
      body(&self, bytes[start..<end])
      let isPair = end + 1 < bytes.count && bytes[end] == 0x0D && bytes[end + 1] == 0x0A
      start = end + (isPair ? 2 : 1)
    }
  }

  // MARK: JSON

  private mutating func readJSON(_ bytes: [UInt8]) throws(FeedError) {
    self = try JSONReader.read(bytes, budget: budget) {
      [self] reader throws(FeedError) -> TranscriptReader in
      var result = self
      _ = try reader.array(named: "segments") { reader throws(FeedError) in
        try result.readSegment(&reader)
      }
      return result
    }
  }

  private mutating func readSegment(_ reader: inout JSONReader) throws(FeedError) {
    let segment = try reader.texts(["startTime", "endTime", "speaker", "body"])
    let name = segment["speaker"].map { PlainText.line($0, limit: Voice.nameLimit) }
    add(
      line(segment["body"] ?? ""), from: Attachment.second(segment["startTime"]),
      to: Attachment.second(segment["endTime"]), speaker: name?.isEmpty == false ? name : nil)
    if let end = budget.end { throw FeedError(end) }
  }
}

/// A part of a WebVTT cue, with the name in its `<v>` tag.
private struct Voice {
  let name: String?
  let text: ArraySlice<UInt8>

  static let nameLimit = 80

  static func voices(in payload: ArraySlice<UInt8>) -> [Voice] {
    var voices: [Voice] = []
    var (name, start, index): (String?, Int, Int) = (nil, payload.startIndex, payload.startIndex)
    // No tag ends after the last `>`, so none is searched for there.
    let lastEnd = payload.lastIndex(of: UInt8(ascii: ">")) ?? payload.startIndex
    while index < lastEnd {
      guard payload[index] == UInt8(ascii: "<"), payload[index + 1] | 0x20 == UInt8(ascii: "v"),
        index + 2 < lastEnd, isWhiteSpace(payload[index + 2]) || payload[index + 2] == 0x2E
      else {
        index += 1
        continue
      }
      let end = payload[index...].firstIndex(of: UInt8(ascii: ">")) ?? lastEnd
      if start < index { voices.append(Voice(name: name, text: payload[start..<index])) }
      let words = payload[(index + 2)..<end].drop { !isWhiteSpace($0) }
      let text = PlainText.line(html: String(outside: words), limit: nameLimit)
      name = text.isEmpty ? nil : text
      (start, index) = (end + 1, end + 1)
    }
    return voices + [Voice(name: name, text: payload[start...])]
  }
}

/// A speaker's name before the text, such as `Kevin: ` or `SPEAKER 1: `.
private struct SpeakerPrefix {
  let name: String
  let rest: String

  /// The longest name with its colon, in bytes.
  static let length = 48
  private static let wordLimit = 4

  init?(_ text: String) {
    let head = text.utf8.prefix(Self.length)
    guard let colon = head.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let after = text.utf8.index(after: colon)
    guard after == text.utf8.endIndex || isWhiteSpace(text.utf8[after]) else { return nil }
    let words = text[..<colon].split(separator: " ", omittingEmptySubsequences: false)
    guard 1...Self.wordLimit ~= words.count, words.allSatisfy(Self.isOfName),
      words[0].first?.isLetter == true
    else { return nil }
    name = String(text[..<colon])
    rest = text[after...].drop(while: \.isWhitespace).description
  }

  /// Whether a word is capitalised or a number.
  private static func isOfName(_ word: Substring) -> Bool {
    guard let first = word.first, first.isNumber || first.isLetter && !first.isLowercase else {
      return false
    }
    return word.allSatisfy { $0.isLetter || $0.isNumber || ".'’-".contains($0) }
  }
}
