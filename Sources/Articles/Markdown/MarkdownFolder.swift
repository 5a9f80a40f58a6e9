import Foundation
import Limits

/// A folder of Markdown files, read as a feed: a file is an article.
struct MarkdownFolder {
  /// A file as it lies there.
  private struct File {
    /// Below the folder; what is not UTF-8 in it is replaced.
    let name: String
    /// As the system has it: a name may be any bytes.
    let path: [CChar]
    let size: Int
    let modified: Date
  }

  /// Folders deeper than this, and files beyond as many or as large as this, are left out.
  static let depthLimit = 8
  static let countLimit = 5_000
  /// Of more than that it is not even looked which are Markdown: the folder is somebody's disk.
  static let entryLimit = 100_000
  static let fileSizeLimit = 1 << 20
  static let sizeLimit = 64 << 20

  private let path: String
  private let files: [File]

  /// Looks at the folder without reading its files.
  ///
  /// Hidden files and what only links to elsewhere are left out.
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

  /// The same as long as no file has come, gone or changed.
  var mark: String {
    StableIDs.hash(
      files.flatMap { [$0.name, "\($0.size) \($0.modified.timeIntervalSince1970)"] })
  }

  /// Reads the files.
  ///
  /// - Throws: when the task is cancelled.
  func feed() throws(FeedError) -> ParsedFeed {
    var feed = ParsedFeed()
    feed.title = PlainText.line(path.split(separator: "/").last.map(String.init) ?? path)
    var left = Self.sizeLimit
    for file in files where file.size <= min(left, Self.fileSizeLimit) {
      // Gone meanwhile, or not for us to read.
      let read = try? LocalFile.bytes(
        of: file.path, limit: Self.fileSizeLimit, followsLinks: false)
      guard let bytes = read else { continue }
      left -= bytes.count
      // Of its own: one hostile file must not use up what the others need.
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
    var article = ParsedArticle()
    article.guid = file.name
    article.title = PlainText.line(front.title ?? markdown.heading ?? file.name)
    article.author = front.author.map { PlainText.line($0) }
    article.published = front.date.flatMap(FeedDate.parse) ?? file.modified
    article.updated = file.modified
    article.html = markdown.html
    // The pictures beside it are its own.
    article.base = FileAddress.text(
      String(decoding: file.path.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
    return article
  }

  // MARK: Files

  /// False when the folder itself cannot be read.
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
      // Not followed: a link may lead out of the folder, or in a circle.
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
  fileprivate var modified: Date {
    #if canImport(Darwin)
      let time = st_mtimespec
    #else
      let time = st_mtim
    #endif
    return Date(
      timeIntervalSince1970: TimeInterval(time.tv_sec) + TimeInterval(time.tv_nsec) / 1e9)
  }
}
