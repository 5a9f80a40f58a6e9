import Articles
import Loading
import Observation
import TerminalUI

/// The chapters and transcripts of episodes, fetched when the user opens them.
@MainActor
@Observable
final class EpisodeTexts {
  @ObservationIgnored let chapters: ResourcePool<Article.ID, [Chapter]>
  @ObservationIgnored let transcripts: ResourcePool<Article.ID, ArticleDocument>
  /// The open article whose transcript is shown instead of its text.
  var shown: Article.ID?

  /// How many chapter lists, and how many transcripts, are kept in memory, so that the user can go
  /// back to them without a load.
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
  /// What the feed offers for an article's episode; empty until its text is loaded.
  func extras(of article: Article) -> ArticleExtras {
    documents[article.id].latestValue?.extras ?? ArticleExtras()
  }

  func showsTranscript(of article: Article) -> Bool { episodes.shown == article.id }

  /// Shows the transcript of an article's episode instead of its text, or the text again.
  func toggleTranscript(of article: Article) {
    // The search is closed, since its matches are those of the text that was shown.
    finder.close()
    episodes.shown = showsTranscript(of: article) ? nil : article.id
  }
}

/// A sheet with the chapters of an episode, from which the user chooses one to play.
struct ChapterSheet: View {
  let model: ReaderModel
  let article: Article
  let close: @MainActor () -> Void
  @Environment(\.terminal) private var terminal
  @State private var selection: Chapter.ID?

  private static let width = 72

  var body: some View {
    AsyncContentView(model.episodes.chapters[article.id]) { chapters in
      List(
        chapters, selection: $selection, submitLabel: "play from there",
        onSubmit: { chapter in
          // Closed first, since the sheet would cover notices of the player.
          close()
          model.play(article, at: chapter.start, terminal)
        }
      ) { chapter in
        let width = Attachment.clock(chapters.last?.start ?? 0).count
        HStack {
          Text(Attachment.clock(chapter.start)).foregroundStyle(\.secondary)
            .frame(width: width, alignment: .trailing)
          Text(chapter.title).lineLimit(1)
        }
      }
      .frame(maxHeight: max(1, chapters.count))
      .defaultFocus()
    }
    .placeholder(Chapter.samples)
    .frame(maxWidth: Self.width)
  }
}

extension Chapter {
  fileprivate static let samples = ["Hello", "What is new this week", "A guest", "Goodbye"]
    .enumerated().map { Chapter(id: -$0.offset - 1, start: $0.offset * 600, title: $0.element) }
}
