import Foundation
import HTTP

/// A server's answer to a download.
struct DownloadAnswer {
  /// The bytes that were read from the body already.
  let beginning: [UInt8]
  /// The rest of the body; nil when the partial file has everything already.
  let body: HTTPStream?
  /// Whether it continues the partial file.
  let isRest: Bool
  /// How many bytes are still to come.
  let expected: Int?
  /// Nil when the rest cannot be requested later.
  let version: FileVersion?
}

/// What a server says about a file, by which a later answer is known to be about the same one.
struct FileVersion: Sendable {
  /// Sent back with the request for the rest of the file.
  let validator: String
  /// The size of the whole file; nil if unknown.
  ///
  /// A server may give files of different sizes the same date, such as an episode into which it
  /// puts other advertising for each request.
  let size: Int?

  init(validator: String, size: Int?) {
    (self.validator, self.size) = (validator, size)
  }

  /// Reads ``text``; nil if there is no validator, or it cannot be sent.
  init?(_ text: String?) {
    let lines = text?.split(separator: "\n", maxSplits: 1).map(String.init) ?? []
    guard let validator = CacheHeaders.validator(lines.first) else { return nil }
    self.init(validator: validator, size: lines.count > 1 ? Int(lines[1]) : nil)
    guard isCertain else { return nil }
  }

  /// Whether a later answer can be known to be about the same file: a date alone is not enough.
  fileprivate var isCertain: Bool { size != nil || validator.hasPrefix("\"") }

  /// The version as it is stored: the validator, and the size in another line.
  var text: String { size.map { "\(validator)\n\($0)" } ?? validator }

  /// Whether an answer to the request for the rest after a number of bytes may be about this file.
  fileprivate func isSame(as head: HTTPResponseHead, after start: Int) -> Bool {
    let total = head.rangeTotal ?? head.length.map { start &+ $0 }
    return (head.validator ?? validator) == validator && (size == nil || total == size)
  }
}

extension Library {
  /// Requests a file, or the rest of it after a number of bytes.
  func answer(
    for stored: StoredDownload, from size: Int, of version: FileVersion?,
    _ downloads: DownloadOptions
  ) async throws -> DownloadAnswer {
    var (start, known) = (size, version)
    // Each request has an iteration of its own, at whose end the stream and its permit are released:
    // a second request may have to wait for that permit.
    while true {
      var request = HTTPRequest(
        url: stored.download.enclosure.address, limits: options.limits, origin: stored.origin)
      request.limits.maximumBytes = downloads.sizeLimit
      request.limits.total = .seconds(86_400)
      // Podcasts are counted by chains of services, each of which redirects to the next.
      request.limits.maximumRedirects = 20
      request.sendsPasswordsInClear = options.sendsPasswordsInClear
      request.headers["Authorization"] = stored.credentials?.authorization
      // A range of a compressed answer would not be a part of the file.
      request.headers["Accept-Encoding"] = "identity"
      if start > 0, let known {
        request.headers["Range"] = "bytes=\(start)-"
        request.headers["If-Range"] = known.validator
      }
      let stream = try await client.stream(request)
      let head = stream.head
      let isSameFile = known?.isSame(as: head, after: start) == true
      let isRest = head.status == 206 && start > 0 && head.rangeStart == start && isSameFile
      if head.status == 416, start > 0, head.rangeTotal == start, isSameFile {
        return DownloadAnswer(beginning: [], body: nil, isRest: true, expected: 0, version: known)
      }
      if [206, 416].contains(head.status), start > 0, !isRest {
        // The file has changed, or the server sent something else: start again.
        try await store.setVersion(nil, of: stored.download.id)
        (start, known) = (0, nil)
        continue
      }
      if head.status == 401, stored.credentials != nil, !head.isOfOtherServer {
        throw DownloadError.passwordRefused
      }
      guard isRest || head.status == 200 else {
        throw StatusError(of: "the file", head, now: now())
      }
      // Before the partial file is emptied: its rest can be fetched after a login.
      var beginning: [UInt8] = []
      if head.isPage, !stored.download.enclosure.isPage {
        // Programs that write a file, and no type, send it as a page.
        guard let file = try await Self.beginningOfFile(stream) else {
          throw DownloadError.page
        }
        beginning = file
      }
      return DownloadAnswer(
        beginning: beginning, body: stream, isRest: isRest,
        expected: isRest ? head.rangeTotal.map { max(0, $0 - start) } ?? head.length : head.length,
        version: (head.validator ?? (isRest ? known?.validator : nil)).map {
          FileVersion(
            validator: $0, size: isRest ? head.rangeTotal ?? known?.size : head.length)
        }.flatMap { $0.isCertain ? $0 : nil })
    }
  }

  /// How many blanks a page may begin with, in bytes.
  private static let blankLimit = 100_000

  /// Reads a body up to its first sign; nil when that is the beginning of markup, or there is none.
  private static func beginningOfFile(_ body: HTTPStream) async throws -> [UInt8]? {
    var bytes: [UInt8] = []
    for try await more in body {
      bytes += more
      let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
      if let sign = text.first(where: { !isWhiteSpace($0) }) {
        return sign == UInt8(ascii: "<") ? nil : bytes
      }
      guard bytes.count < blankLimit else { return nil }
    }
    return nil
  }
}

extension HTTPResponseHead {
  /// Whether the answer is a web page.
  fileprivate var isPage: Bool { headers["Content-Type"].map(Attachment.isPage) ?? false }

  /// Where the range in the answer begins; nil if the answer does not say.
  fileprivate var rangeStart: Int? {
    guard let range = headers["Content-Range"], range.lowercased().hasPrefix("bytes ") else {
      return nil
    }
    return Int(range.dropFirst(6).prefix { $0 != "-" })
  }

  /// The size of the whole file, of which the answer may be less than what was requested; nil if the
  /// answer does not say.
  fileprivate var rangeTotal: Int? {
    headers["Content-Range"]?.split(separator: "/").last.flatMap { Int($0) }
      .flatMap { $0 >= 0 ? $0 : nil }
  }

  /// The size of the body; nil if unknown, as when it is decompressed in transit or sent in chunks.
  fileprivate var length: Int? {
    let isAsSent = headers["Content-Encoding"] == nil && headers["Transfer-Encoding"] == nil
    guard isAsSent else { return nil }
    return headers["Content-Length"].flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
  }

  /// The validator for requesting the rest of the file later.
  fileprivate var validator: String? {
    guard headers["Content-Encoding"] == nil else { return nil }
    if let tag = CacheHeaders.validator(headers["ETag"]), tag.hasPrefix("\"") { return tag }
    return CacheHeaders.validator(headers["Last-Modified"])
  }
}
