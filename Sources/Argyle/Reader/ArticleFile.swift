import Articles
import Foundation

/// Saves an article as a Markdown file named after its title.
enum ArticleFile {
  struct Failure: Error, Equatable {
    let path: String
    let code: Int32
  }

  /// Writes a new file, next to existing ones with the same title, and returns its path.
  static func save(_ content: ArticleDocument, in folder: String) throws(Failure) -> String {
    let name = FileName.safe(content.article.title)
    var number = 1
    while true {
      let path = folder + "/" + name + (number == 1 ? "" : "-\(number)") + ".md"
      // O_EXCL, so that neither an existing file nor the target of a link is ever overwritten.
      let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
      if file >= 0 {
        try write(Array(content.markdown.utf8), to: file, path)
        return path
      }
      guard errno == EEXIST, number < 1_000 else { throw Failure(path: path, code: errno) }
      number += 1
    }
  }

  private static func write(_ bytes: [UInt8], to file: Int32, _ path: String) throws(Failure) {
    defer { close(file) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
      guard count > 0 else {
        if count < 0, errno == EINTR { continue }
        let code = errno
        // An incomplete file would look like a complete article.
        unlink(path)
        throw Failure(path: path, code: code)
      }
      rest = rest.dropFirst(count)
    }
  }
}
