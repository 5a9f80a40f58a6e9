import Articles
import Loading
import Observation
import TerminalUI

/// The editor of an article's tags, without the one that stands for the list Read later: a key of
/// its own changes that.
@MainActor
@Observable
final class TagEditor {
  /// The article whose tags are edited, or were last.
  private(set) var article: Article?
  var typed = ""
  /// All tags of articles.
  let known: Resource<[ArticleTag]>

  init(clock: AnyClock, scheduler: LoadScheduler) {
    known = Resource(name: "tags", clock: clock, scheduler: scheduler)
  }

  /// - Parameter article: the article with its current tags.
  func edit(_ article: Article, _ tags: Loader<[ArticleTag]>) {
    typed = article.tags.filter { !ArticleTag.isLater($0) }.map { $0 + ", " }.joined()
    known.load(tags, .restart)
    self.article = article
  }

  private var knownNames: [String] { (known.latestValue ?? []).map(\.name) }

  /// The tags that were typed.
  var tags: [String] { ArticleTag.names(typed: typed, among: knownNames) }

  /// The part that is being typed: the text after the last comma.
  private var part: Substring {
    typed.lastIndex(of: ",").map { typed[typed.index(after: $0)...] } ?? typed[...]
  }

  /// The existing tags that begin with the part being typed and were not typed yet.
  var suggestions: [ArticleTag] {
    let part = FoldedText.folded(String(part.drop(while: \.isWhitespace)))
    let others = Set(
      ArticleTag.names(typed: String(typed.dropLast(self.part.count))).map(FoldedText.folded))
    return (known.latestValue ?? []).filter { tag in
      let name = FoldedText.folded(tag.name)
      return name.hasPrefix(part) && !others.contains(name) && name != ArticleTag.later
    }
  }

  /// Replaces the part that is being typed with a tag.
  func complete(_ tag: ArticleTag) {
    let before = typed.dropLast(part.count)
    typed = before + (before.isEmpty ? "" : " ") + tag.name + ", "
  }
}

extension ReaderModel {
  func editTags(_ article: Article) {
    guard !article.isBundled else { return }
    tagEditor.edit(current(article), source.tags())
    sheet = .tags
  }

  func submitTags() {
    guard let article = tagEditor.article else { return }
    let tags = tagEditor.tags
    sheet = nil
    let hasLater = tags.contains(where: ArticleTag.isLater)
    let kept = hasLater ? [] : current(article).tags.filter(ArticleTag.isLater)
    guard setTags(tags + kept, article) else { return }
    let words = tags.isEmpty ? "No tags" : "Tagged \(tags.joined(separator: ", "))"
    say("\(words): “\(shortTitle(article.title, 30))”.", .undo)
  }

  /// Adds an article to the "Read later" list, or removes it.
  func toggleLater(_ article: Article) {
    let tags = current(article).tags
    let others = tags.filter { !ArticleTag.isLater($0) }
    let isLater = others.count == tags.count
    guard setTags(isLater ? tags + [ArticleTag.later] : others, article) else { return }
    let words = isLater ? "To be read later" : "No longer to be read later"
    say("\(words): “\(shortTitle(article.title, 30))”.", .undo)
  }

  /// Sets the tags of an article.
  ///
  /// - Returns: whether that changes anything.
  private func setTags(_ tags: [String], _ article: Article) -> Bool {
    let old = current(article).tags
    let added = tags.filter { !old.contains($0) }
    let removed = old.filter { !tags.contains($0) }
    guard !article.isBundled, !(added + removed).isEmpty else { return false }
    let unsaved = UnsavedMark("The tags of “\(shortTitle(article.title))” were not changed.") {
      $0.current(article).tags != tags
    }
    mark({ $0.setTags(tags, of: article.id) }, unsaved) {
      try await $0.tag(article.id, added, removed)
    }
    return true
  }
}

/// The sheet with the field for the tags, and the existing tags.
struct TagSheet: View {
  let model: ReaderModel
  @FocusState private var choosesRow: Bool
  @FocusState private var isTyping: Bool

  private static let width = 44
  private static let mostRows = 8

  var body: some View {
    let editor = model.tagEditor
    VStack(alignment: .leading) {
      TextField("separated by commas", text: Binding(editor, \.typed))
        .focused($isTyping).defaultFocus()
        .onKeyPress(
          action: .down, label: "known tags", footer: .ifRoom, when: !editor.suggestions.isEmpty
        ) { choosesRow = true }
      AsyncContentView(editor.known) { _ in
        if !editor.suggestions.isEmpty {
          List(editor.suggestions, submitLabel: "choose", onSubmit: choose) { tag in
            HStack {
              Text(tag.name).lineLimit(1)
              Spacer()
              Text("\(tag.articleCount)").foregroundStyle(\.secondary)
            }
          }
          .focused($choosesRow)
          .frame(height: min(editor.suggestions.count, Self.mostRows))
        }
      }
      .loading { _ in ProgressView("Reading the tags") }
    }
    .frame(idealWidth: Self.width, maxWidth: .infinity, alignment: .leading)
    .onSubmit(label: "save") { model.submitTags() }
  }

  private func choose(_ tag: ArticleTag) {
    model.tagEditor.complete(tag)
    isTyping = true
  }
}

extension Article {
  /// The tags as lists and the article's header show them, with the list Read later by its name.
  var shownTags: String {
    tags.map { ArticleTag.isLater($0) ? ReaderList.laterTitle : "#" + $0 }
      .joined(separator: " ")
  }
}
