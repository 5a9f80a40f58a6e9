import Articles
import Foundation
import Limits

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
        defer { close(file) }
        do {
          try FileWriter.write(Array(content.markdown.utf8), to: file)
        } catch {
          // An incomplete file would look like a complete article.
          unlink(path)
          throw Failure(path: path, code: error.code)
        }
        return path
      }
      guard errno == EEXIST, number < 1_000 else { throw Failure(path: path, code: errno) }
      number += 1
    }
  }
}
