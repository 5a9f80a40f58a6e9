import Foundation
import Limits

/// A folder of Markdown files, read as a feed with one article per file.
struct MarkdownFolder {
  /// A file in the folder.
  private struct File {
    /// The path relative to the folder; invalid UTF-8 is replaced.
    let name: String
    /// The path as the system has it: a name may be any bytes.
    let path: [CChar]
    let size: Int
    let modified: Date
  }

  /// How deep folders are searched; deeper ones, and files beyond the limits, are left out.
  static let depthLimit = 8
  static let countLimit = 5_000
  /// The most entries that are looked at, Markdown or not: the folder may be a whole disk.
  static let entryLimit = 100_000
  static let fileSizeLimit = 1 << 20
  static let sizeLimit = 64 << 20

  private let path: String
  private let files: [File]

  /// Lists the folder's files without reading them.
  ///
  /// Hidden files and links are left out.
  init(path: String, entryLimit: Int = Self.entryLimit) throws(FetchError) {
    self.path = path
    var files: [File] = []
    var entries = entryLimit
    guard
      Self.collect(
        Array(path.utf8CString), name: "", depth: 0, ofNext: &entries, into: &files)
    else {
      throw .fileUnreadable(path: path, reason: String(cString: strerror(errno)))
    }
    self.files = files.sorted { $0.name < $1.name }
  }

  /// Whether there are no Markdown files.
  var isEmpty: Bool { files.isEmpty }

  /// A hash that changes when a file is added, removed or changed.
  var mark: String {
    StableIDs.hash(
      files.flatMap { [$0.name, "\($0.size) \($0.modified.timeIntervalSince1970)"] })
  }

  /// Reads the files.
  ///
  /// Files that are gone or unreadable are left out.
  ///
  /// - Throws: ``FeedError/cancelled`` when the task is cancelled.
  func feed() throws(FeedError) -> ParsedFeed {
    var feed = ParsedFeed()
    feed.title = PlainText.line(path.split(separator: "/").last.map(String.init) ?? path)
    var left = Self.sizeLimit
    for file in files where file.size <= min(left, Self.fileSizeLimit) {
      // The file may be gone, or unreadable.
      let read = try? FileReader.bytes(
        of: file.path, limit: Self.fileSizeLimit, followsLinks: false)
      guard let bytes = read else { continue }
      left -= bytes.count
      // Each file has its own budget: one hostile file must not use up the budget of other files.
      let budget = Budget(bytes: bytes.count)
      feed.articles.append(Self.article(file, bytes, budget: budget))
      if budget.end == .cancelled { throw .cancelled }
    }
    return feed
  }

  private static func article(
    _ file: File, _ bytes: [UInt8], budget: Budget
  ) -> ParsedArticle {
    let text = SourceText.utf8(bytes, charset: nil)
    let front = FrontMatter(text)
    let markdown = MarkdownText(
      Array(text[front.end...]), isTitled: front.title != nil, budget: budget)
    // Relative addresses of pictures refer to the file's folder.
    let base = FileAddress.text(
      String(decoding: file.path.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
    return ParsedArticle(
      guid: file.name, title: PlainText.line(front.title ?? markdown.heading ?? file.name),
      author: front.author.map { PlainText.line($0) },
      published: front.date.flatMap(FeedDate.parse) ?? file.modified, html: markdown.html,
      base: base)
  }

  // MARK: Files

  /// Collects the files of a folder; false when the folder cannot be read.
  private static func collect(
    _ path: [CChar], name: String, depth: Int, ofNext entries: inout Int,
    into files: inout [File]
  ) -> Bool {
    guard let folder = opendir(path) else { return false }
    defer { closedir(folder) }
    while files.count < countLimit, entries > 0, let entry = readdir(folder) {
      entries -= 1
      let entryName = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) {
          Array(
            UnsafeBufferPointer(
              start: $0, count: strlen($0) + 1))
        }
      }
      guard entryName[0] != CChar(bitPattern: UInt8(ascii: ".")) else { continue }
      let entryPath = path.dropLast() + [CChar(bitPattern: UInt8(ascii: "/"))] + entryName
      var status = stat()
      // Links are not followed: they may lead out of the folder, or in a circle.
      guard lstat(Array(entryPath), &status) == 0 else { continue }
      let bytes = entryName.dropLast().map { UInt8(bitPattern: $0) }
      let text = name + String(decoding: bytes, as: UTF8.self)
      switch status.st_mode & S_IFMT {
      case S_IFDIR where depth < depthLimit:
        _ = collect(
          Array(entryPath), name: text + "/", depth: depth + 1, ofNext: &entries, into: &files)
      case S_IFREG where isMarkdown(text):
        files.append(
          File(
            name: text, path: Array(entryPath), size: Int(status.st_size),
            modified: status.modified))
      default: break
      }
    }
    return true
  }

  private static func isMarkdown(_ name: String) -> Bool {
    let name = name.lowercased()
    return [".md", ".markdown", ".mdown"].contains { name.hasSuffix($0) }
  }
}

extension stat {
  var modified: Date {
    #if canImport(Darwin)
      let time = st_mtimespec
    #else
      let time = st_mtim
    #endif
    return Date(
      timeIntervalSince1970: TimeInterval(time.tv_sec) + TimeInterval(time.tv_nsec) / 1e9)
  }
}
