import Limits

/// The format of a transcript, best to read first.
enum TranscriptFormat: Int, CaseIterable {
  case vtt, subRip, json, html, plain

  /// - Parameter type: the media type in the feed, in lower case and without parameters.
  init?(type: String, address: String) {
    switch type {
    case "text/vtt": self = .vtt
    case "application/srt", "application/x-subrip", "text/srt", "application/x-srt": self = .subRip
    case "application/json", "application/x-json": self = .json
    case "text/html", "application/xhtml+xml": self = .html
    case "text/plain":
      // Feeds use this type if they know no better one.
      self = Self(ending: address) ?? .plain
    default:
      guard let format = Self(ending: address) else { return nil }
      self = format
    }
  }

  private init?(ending address: String) {
    switch WebAddress.ending(of: address) {
    case ".vtt": self = .vtt
    case ".srt": self = .subRip
    case ".json": self = .json
    case ".html", ".htm": self = .html
    case ".txt": self = .plain
    default: return nil
    }
  }

  /// Whether a text that should be plain is a web page.
  static func isPage(_ bytes: [UInt8]) -> Bool {
    let head = String(decoding: bytes.drop(while: isWhiteSpace).prefix(16), as: UTF8.self)
    return ["<!doctype html", "<html"].contains { head.lowercased().hasPrefix($0) }
  }

  /// The `Accept` header of the request.
  var accept: String {
    switch self {
    case .vtt: "text/vtt, */*;q=0.5"
    case .subRip: "application/x-subrip, application/srt, */*;q=0.5"
    case .json: "application/json, */*;q=0.5"
    case .html: "text/html, */*;q=0.5"
    case .plain: "text/plain, */*;q=0.5"
    }
  }

  /// Returns the best transcript of an article: in one of the user's languages if there is one, or
  /// else in the language that the feed names first, and then in the most detailed format.
  ///
  /// - Parameter languages: such as `de` or `en-GB`, most preferred first.
  static func best(
    of attachments: [Attachment], languages: [String]
  ) -> (attachment: Attachment, format: TranscriptFormat)? {
    let wanted = languages.map { primary($0) }
    let transcripts = attachments.filter { $0.kind == .transcript }
    let offered = Dictionary(
      transcripts.enumerated().compactMap { index, transcript in
        transcript.transcriptParts.language.map { (primary($0), index) }
      }, uniquingKeysWith: min)
    func rank(_ language: String?) -> Int {
      // A transcript without a language is in the episode's language, and so comes before one in a
      // language that the user does not read.
      guard let language else { return wanted.count }
      let name = primary(language)
      return wanted.firstIndex(of: name) ?? wanted.count + 1 + (offered[name] ?? 0)
    }
    let known = transcripts.enumerated().compactMap {
      index, attachment -> (key: (Int, Int, Int), Attachment, TranscriptFormat)? in
      let parts = attachment.transcriptParts
      guard let format = TranscriptFormat(type: parts.type, address: attachment.address) else {
        return nil
      }
      return ((rank(parts.language), format.rawValue, index), attachment, format)
    }
    return known.min { $0.key < $1.key }.map { ($0.1, $0.2) }
  }

  private static func primary(_ language: String) -> String {
    language.lowercased().prefix { $0 != "-" && $0 != "_" }.description
  }
}
