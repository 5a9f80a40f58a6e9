import Limits

/// The transcript of an episode.
public struct Transcript: Sendable, Hashable {
  /// A short piece of text, mostly a line or two.
  public struct Cue: Sendable, Hashable, Encodable {
    /// When it begins, in seconds; nil if the transcript has no times.
    public let start: Int?
    public let end: Int?
    /// Who says it; nil if unknown.
    public let speaker: String?
    /// One line of text.
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
  /// The address of the transcript.
  public let address: String
  /// The language according to the feed, such as `en`.
  public let language: String?
  /// The cues; empty for a web page, which has only the document.
  public let cues: [Cue]
  public let document: Document
  /// The private-network host that it came from; nil for the public network.
  let privateHost: String?

  /// The most cues that are read.
  static let cueLimit = 100_000
  /// The largest file that is fetched, in bytes.
  static let sizeLimit = 8 << 20

  /// The transcript in place of the article's text.
  public var articleDocument: ArticleDocument {
    var article = article
    // The reading time is that of the article's own text.
    article.readingMinutes = nil
    return ArticleDocument(
      article: article, document: document, privateHost: privateHost, textSource: .transcript,
      extras: ArticleExtras(hasTranscript: true))
  }

  /// The text with speakers and without times; a page as it is.
  public var words: Document {
    cues.isEmpty ? document : Self.document(of: cues, hasTimes: false)
  }
}

extension Transcript {
  /// Consecutive cues that belong together.
  struct Paragraph: Hashable {
    var start: Int?
    var end: Int?
    /// Nil if it is the speaker of the paragraph before.
    var speaker: String?
    var text: String
  }

  /// The pause in seconds that starts a paragraph.
  fileprivate static let pause = 4
  /// The length in bytes from which a paragraph ends with a sentence; at twice the length it ends
  /// with any cue.
  fileprivate static let paragraphLength = 500

  /// Groups cues into paragraphs: a paragraph starts with another speaker, after a pause, and when
  /// the previous one has become too long.
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

  /// Returns the paragraphs with their speakers.
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
    // A text without times is already divided into paragraphs.
    guard let start = cue.start, let end else { return false }
    guard start - end < Transcript.pause, text.utf8.count < 2 * Transcript.paragraphLength else {
      return false
    }
    return text.utf8.count < Transcript.paragraphLength
      || !".!?…。！？\"”".unicodeScalars.contains(text.unicodeScalars.last ?? " ")
  }
}
