import Limits

/// What is said in an episode, in words.
public struct Transcript: Sendable, Hashable {
  /// Some words, mostly a line or two.
  public struct Cue: Sendable, Hashable {
    /// When it begins, in seconds; nil where no times are known.
    public let start: Int?
    public let end: Int?
    /// Who says it; nil where that is not said.
    public let speaker: String?
    /// One line.
    ///
    /// Not sanitised.
    public let text: String

    public init(start: Int? = nil, end: Int? = nil, speaker: String? = nil, text: String) {
      self.start = start
      self.end = end
      self.speaker = speaker
      self.text = text
    }
  }

  public let article: Article
  /// Where it is from.
  public let address: String
  /// Its language, as the feed says it, such as `en`.
  public let language: String?
  /// Empty where it is a page, of which there is the document alone.
  public let cues: [Cue]
  public let document: Document
  /// The host of a private network that it came from; nil for the public network.
  let privateHost: String?

  /// More parts are not read.
  static let cueLimit = 100_000
  /// A larger file is not fetched, in bytes.
  static let sizeLimit = 8 << 20

  /// The transcript in the place of the article's text.
  public var articleDocument: ArticleDocument {
    var article = article
    // That of another text.
    article.readingMinutes = nil
    return ArticleDocument(
      article: article, document: document, privateHost: privateHost, textSource: .transcript,
      extras: .transcript)
  }

  /// What is said and by whom, without times; a page is all of its text.
  public var words: Document {
    cues.isEmpty ? document : Self.document(of: cues, hasTimes: false)
  }
}

extension Transcript {
  /// Some cues that belong together.
  struct Paragraph: Hashable {
    var start: Int?
    var end: Int?
    /// Nil where it is the one of the paragraph before.
    var speaker: String?
    var text: String
  }

  /// A pause of so many seconds begins a paragraph.
  fileprivate static let pause = 4
  /// From this length on the end of a sentence is that of the paragraph, and at twice the length every
  /// end of a cue, in bytes.
  fileprivate static let paragraphLength = 500

  /// Puts cues together to paragraphs: one begins with another speaker, after a pause, and where it would
  /// get too long to be read.
  static func paragraphs(of cues: [Cue]) -> [Paragraph] {
    var paragraphs: [Paragraph] = []
    var paragraph: Paragraph?
    var speaker: String?
    for cue in cues {
      let isOther = cue.speaker != nil && cue.speaker != speaker
      if let open = paragraph, !isOther, open.isContinued(by: cue) {
        paragraph?.text += " " + cue.text
        paragraph?.end = cue.end ?? cue.start
      } else {
        if let paragraph { paragraphs.append(paragraph) }
        paragraph = Paragraph(
          start: cue.start, end: cue.end ?? cue.start, speaker: isOther ? cue.speaker : nil,
          text: cue.text)
        speaker = cue.speaker ?? speaker
      }
    }
    return paragraphs + (paragraph.map { [$0] } ?? [])
  }

  /// The paragraphs with their speakers.
  static func document(of cues: [Cue], hasTimes: Bool = true) -> Document {
    Document(
      blocks: paragraphs(of: cues).map { paragraph in
        var inlines: [Inline] = []
        if hasTimes, let start = paragraph.start {
          inlines.append(.text(Attachment.clock(start), .dimmed))
        }
        if let speaker = paragraph.speaker {
          inlines += (inlines.isEmpty ? [] : [.text(" ")]) + [.text(speaker + ":", .strong)]
        }
        return .paragraph(inlines + [.text((inlines.isEmpty ? "" : " ") + paragraph.text)])
      })
  }
}

extension Transcript.Paragraph {
  fileprivate func isContinued(by cue: Transcript.Cue) -> Bool {
    // A text without times has its own paragraphs.
    guard let start = cue.start, let end else { return false }
    guard start - end < Transcript.pause, text.utf8.count < 2 * Transcript.paragraphLength else {
      return false
    }
    return text.utf8.count < Transcript.paragraphLength
      || !".!?…。！？\"”".unicodeScalars.contains(text.unicodeScalars.last ?? " ")
  }
}
