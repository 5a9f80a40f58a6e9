import Articles
import Loading
import Observation
import TerminalUI

/// What feeds name for episodes, and what is fetched when the user wants to see it: chapters and
/// transcripts.
@MainActor
@Observable
final class EpisodeTexts {
  @ObservationIgnored let chapters: ResourcePool<Article.ID, [Chapter]>
  @ObservationIgnored let transcripts: ResourcePool<Article.ID, ArticleDocument>
  /// The open article whose transcript stands in the place of its text.
  var shown: Article.ID?

  /// Going back and on takes no time for so many.
  private static let capacity = 8

  init(source: ArticleSource, clock: AnyClock, scheduler: LoadScheduler) {
    chapters = ResourcePool(
      capacity: Self.capacity, name: { "chapters of \($0.rawValue)" }, clock: clock,
      scheduler: scheduler
    ) { source.chapters($0) }
    transcripts = ResourcePool(
      capacity: Self.capacity, name: { "transcript of \($0.rawValue)" }, clock: clock,
      scheduler: scheduler
    ) { source.text($0, .transcript) }
  }
}

extension ReaderModel {
  /// What the feed names for an article's episode; nothing before its text is there.
  func extras(of article: Article) -> ArticleExtras {
    documents[article.id].latestValue?.extras ?? []
  }

  func showsTranscript(of article: Article) -> Bool { episodes.shown == article.id }

  /// Shows what is said in an article's episode in the place of its text, or the text again.
  func toggleTranscript(of article: Article) {
    // Its words are those of the other text.
    finder.close()
    episodes.shown = showsTranscript(of: article) ? nil : article.id
  }

  /// Plays what was downloaded of an article, from the beginning of a chapter.
  func play(_ article: Article, from chapter: Chapter, _ lend: LendTerminalAction?) {
    play(article, at: chapter.start, lend)
  }
}

/// The chapters of an episode as a list, from which one is played.
struct ChapterSheet: View {
  let model: ReaderModel
  let article: Article
  /// The most rows that there is room for.
  let height: Int
  let close: @MainActor () -> Void
  @Environment(\.lendTerminal) private var lendTerminal
  @State private var selection: Chapter.ID?

  private static let width = 72
  private static let rowsWhileEmpty = 6

  var body: some View {
    AsyncContentView(model.episodes.chapters[article.id]) { chapters in
      List(
        chapters, selection: $selection, submitLabel: "play from there",
        onSubmit: { chapter in
          // Its notices would stand behind the sheet.
          close()
          model.play(article, from: chapter, lendTerminal)
        }
      ) { chapter in
        let width = Attachment.clock(chapters.last?.start ?? 0).count
        HStack {
          Text(Attachment.clock(chapter.start)).foregroundStyle(\.secondary)
            .frame(width: width, alignment: .trailing)
          Text(chapter.title).lineLimit(1)
        }
      }
      .frame(height: min(max(chapters.count, 1), max(1, height)))
      .defaultFocus()
    }
    .placeholder(Chapter.samples)
    .frame(maxWidth: Self.width, maxHeight: max(Self.rowsWhileEmpty, height))
  }
}

extension Chapter {
  fileprivate static let samples = ["Hello", "What is new this week", "A guest", "Goodbye"]
    .enumerated().map { Chapter(id: -$0.offset - 1, start: $0.offset * 600, title: $0.element) }
}
