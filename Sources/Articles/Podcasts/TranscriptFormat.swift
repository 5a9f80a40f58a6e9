import Limits

/// The form of a transcript; the earlier of two is the better one to read.
enum TranscriptFormat: Int, CaseIterable {
  case vtt, subRip, json, html, plain

  /// - Parameter type: the type that the feed says, in small letters, without anything behind it.
  init?(type: String, address: String) {
    switch type {
    case "text/vtt": self = .vtt
    case "application/srt", "application/x-subrip", "text/srt", "application/x-srt": self = .subRip
    case "application/json", "application/x-json": self = .json
    case "text/html", "application/xhtml+xml": self = .html
    case "text/plain":
      // What feeds say that have no better word for it.
      self = Self(ending: address) ?? .plain
    default:
      guard let format = Self(ending: address) else { return nil }
      self = format
    }
  }

  private init?(ending address: String) {
    let path = WebAddress.Parts(address).path.lowercased()
    switch path.utf8.lastIndex(of: UInt8(ascii: ".")).map({ String(path[$0...]) }) {
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

  /// What servers are told that is wanted.
  var accept: String {
    switch self {
    case .vtt: "text/vtt, */*;q=0.5"
    case .subRip: "application/x-subrip, application/srt, */*;q=0.5"
    case .json: "application/json, */*;q=0.5"
    case .html: "text/html, */*;q=0.5"
    case .plain: "text/plain, */*;q=0.5"
    }
  }

  /// The best of the transcripts of an article: in one of the user's languages if there is one, and then
  /// in the form that says most.
  ///
  /// - Parameter languages: such as `de` or `en-GB`, the most wanted first.
  static func best(
    of attachments: [Attachment], languages: [String]
  ) -> (attachment: Attachment, format: TranscriptFormat)? {
    let wanted = languages.map { primary($0) }
    func rank(_ language: String?) -> Int {
      // One that says nothing is in the language of what is heard: rather that than one that is none of
      // the user's.
      guard let language else { return wanted.count }
      return wanted.firstIndex(of: primary(language)) ?? wanted.count + 1
    }
    let known = attachments.filter { $0.kind == .transcript }.enumerated().compactMap {
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
