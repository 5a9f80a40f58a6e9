import TerminalUI

/// A sheet of the reader; the model keeps it, since other screens show the same after a resize.
enum ReaderSheet {
  case contents, chapters, enclosures, files
  case downloads, lists, olderArticles, tags

  /// Whether it is closed with the open article.
  var isOfArticle: Bool {
    switch self {
    case .contents, .chapters, .enclosures, .files: true
    case .downloads, .lists, .olderArticles, .tags: false
    }
  }
}

extension ReaderModel {
  /// Whether the sheet is open; closes it if set to false.
  func shows(_ sheet: ReaderSheet) -> Binding<Bool> {
    Binding(get: { self.sheet == sheet }, set: { if !$0 { self.sheet = nil } })
  }
}
