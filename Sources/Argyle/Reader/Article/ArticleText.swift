import Articles
import TerminalUI

/// The scrolling text of an article.
struct ArticleText: View {
  let content: ArticleDocument
  let proxy: ScrollProxy
  var isJustified = false
  /// How pictures are shown; nil for descriptions instead.
  let pictures: DocumentPictures?
  /// The finder, if a search of this article is open.
  var finder: ArticleFinder?
  /// Whether a link can be copied; says why not.
  var mayCopy: @MainActor () -> Bool = { true }
  /// Called with the number of the chosen link, and whether to copy it.
  let choose: @MainActor (_ number: Int, _ isCopied: Bool) -> Void
  @State private var hints: String?
  @State private var copiesChoice = false
  @Environment(\.theme) private var theme
  @Environment(\.isPlain) private var isPlain

  var body: some View {
    let finder = finder?.article == content.article.id ? finder : nil
    ScrollView(proxy) {
      RichText(
        id: identity,
        links: RichText.Links(hints: $hints) { [copiesChoice] in choose($0, copiesChoice) },
        found: finder?.marked
      ) { blocks }
    }
    .onChange(of: finder == nil ? nil : identity, initial: true) { _, searched in
      if searched != nil { finder?.search(SearchableText(blocks)) }
    }
    .onKeyPress(action: .chooseLink, when: hasLinks) { (hints, copiesChoice) = ("", false) }
    .onKeyPress(action: .copyLink, footer: .ifRoom, when: hasLinks) {
      if mayCopy() { (hints, copiesChoice) = ("", true) }
    }
  }

  private var blocks: [RichText.Block] {
    // A screen reader would read a rule character by character.
    DocumentBlocks(
      theme: theme, pictures: pictures, isJustified: isJustified, widestRule: isPlain ? 0 : .max
    )
    .blocks(of: content.document)
  }

  private var identity: Identity {
    Identity(
      article: content.article.id, isWhole: content.isWhole, pictureHeight: pictures?.height,
      remotePictures: pictures?.remote, isJustified: isJustified, source: content.textSource,
      theme: theme)
  }

  private var hasLinks: Bool {
    !content.document.links.isEmpty || !content.document.jumps.isEmpty
  }

  /// Everything that the paragraphs depend on.
  private struct Identity: Hashable {
    let article: Article.ID
    let isWhole: Bool
    let pictureHeight: Int?
    let remotePictures: RemotePictures?
    let isJustified: Bool
    let source: TextSource
    let theme: Theme
  }
}
