/// An audio file, a video, a picture or another file that belongs to an article.
///
/// Podcast episodes are attachments.
public struct Attachment: Sendable, Hashable {
  public enum Kind: Sendable, Hashable {
    case audio, video, picture, other
    /// The transcript of an episode, and the file with its chapters.
    case transcript, chapters
  }

  /// Absolute, `http` or `https`.
  public let address: String
  /// The media type that the feed gives, such as `audio/mpeg`.
  ///
  /// Not sanitised.
  public let type: String?
  /// Its size in bytes.
  public let byteCount: Int?
  /// The playing time in seconds.
  public var seconds: Int?

  public init(address: String, type: String? = nil, byteCount: Int? = nil, seconds: Int? = nil) {
    self.address = address
    self.type = type.flatMap { 1...100 ~= $0.utf8.count ? $0 : nil }
    self.byteCount = byteCount.flatMap { $0 > 0 ? $0 : nil }
    self.seconds = seconds.flatMap { $0 > 0 ? $0 : nil }
  }

  /// The kind, determined by the type, or else by the extension in the address.
  public var kind: Kind {
    let type = type?.lowercased() ?? ""
    if type == Self.chaptersType { return .chapters }
    if type.hasSuffix(Self.transcriptMark) { return .transcript }
    if let kind = Self.kinds.first(where: { type.hasPrefix($0.name) })?.kind { return kind }
    return switch WebAddress.ending(of: address) {
    case ".mp3", ".m4a", ".ogg", ".oga", ".opus", ".aac", ".flac", ".wav": .audio
    case ".mp4", ".m4v", ".webm", ".mov", ".mkv", ".ogv": .video
    case ".jpg", ".jpeg", ".png", ".gif", ".webp", ".avif": .picture
    default: .other
    }
  }

  /// Whether it is a web page, determined as ``kind`` is.
  var isPage: Bool {
    type.map(Self.isPage) ?? [".html", ".htm"].contains(WebAddress.ending(of: address))
  }

  /// Whether a media type, which may have parameters, is that of a web page.
  static func isPage(_ type: String) -> Bool {
    ["text/html", "application/xhtml+xml"].contains {
      type.trimmingWhiteSpace().lowercased().hasPrefix($0)
    }
  }

  /// Whether it is an enclosure of the article, and not its picture, transcript or chapters.
  public var isEnclosure: Bool {
    switch kind {
    case .audio, .video, .other: true
    case .picture, .transcript, .chapters: false
    }
  }

  /// The media type of a file of chapters.
  static let chaptersType = "application/json+chapters"
  private static let transcriptMark = "; rel=transcript"

  private static let languageMark = "; lang="

  /// Returns the stored type of a transcript: the feed's type and language, and a mark.
  static func transcript(_ type: String?, language: String? = nil) -> String {
    let mark = language.flatMap { language in
      1...20 ~= language.utf8.count && language.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        ? languageMark + language : nil
    }
    return (type ?? "text/plain").prefix(40) + (mark ?? "") + transcriptMark
  }

  /// The feed's media type of a transcript, without parameters and in lower case, and its language.
  var transcriptParts: (type: String, language: String?) {
    let text = (type ?? "").lowercased()
    let language = text.ranges(of: Self.languageMark).last.map {
      String(text[$0.upperBound...].prefix { $0 != ";" })
    }
    return (String(text.prefix { $0 != ";" }).trimmingWhiteSpace(), language)
  }

  private static let kinds: [(name: String, kind: Kind)] = [
    ("audio", .audio), ("video", .video), ("image", .picture),
  ]

  /// The last part of the address' path, or else the address.
  ///
  /// Not sanitised.
  public var fileName: String {
    let name = WebAddress.Parts(address).path.split(separator: "/").last
    return name.map { $0.removingPercentEncoding ?? String($0) } ?? address
  }

  /// The kind, the playing time and the size, as far as the feed gives them: `Audio, 1:02:05, 12.4
  /// MB`.
  public var summary: String {
    let name =
      switch kind {
      case .audio: "Audio"
      case .video: "Video"
      case .picture: "Picture"
      case .other: "File"
      case .transcript: "Transcript"
      case .chapters: "Chapters"
      }
    return [name, seconds.map(Self.clock), byteCount.map(Self.size)].compactMap(\.self)
      .joined(separator: ", ")
  }

  /// Parses `3725`, `62:05` or `1:02:05` as seconds; nil for anything else.
  public static func time(_ text: String) -> Int? {
    // Its parts would take many times the memory of a long text.
    guard text.utf8.count <= 32 else { return nil }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard 1...3 ~= parts.count else { return nil }
    var seconds = 0
    for (index, part) in parts.enumerated() {
      // The last part may have a fraction.
      let whole = index == parts.count - 1 ? part.prefix { $0 != "." } : part
      guard let value = Int(whole), 0...1_000_000 ~= value else { return nil }
      seconds = seconds * 60 + value
    }
    return seconds
  }

  /// Formats a time as players show it: `1:05` or `1:02:05`.
  public static func clock(_ seconds: Int) -> String {
    func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    let start = hours > 0 ? "\(hours):\(padded(minutes))" : "\(minutes)"
    return "\(start):\(padded(seconds % 60))"
  }

  /// Formats a size in bytes, as lists show it: `1 kB`, also for less than that, or `1.2 MB`.
  public static func size(_ bytes: Int) -> String {
    if bytes < 1_000_000 { return "\(bytes > 0 ? max(1, bytes / 1_000) : 0) kB" }
    let tenths = bytes / 100_000
    return "\(tenths / 10).\(tenths % 10) MB"
  }

  /// Parses a duration in seconds; nil also for a duration of 0.
  static func seconds(_ text: String) -> Int? { time(text).flatMap { $0 > 0 ? $0 : nil } }
}
