import ArgumentParser
import Articles
import Foundation

// Chapters and transcripts of episodes.

extension PodcastsCommand {
  struct Chapters: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "chapters", abstract: "List the chapters of an article's episode.",
      discussion: """
        Those that the feed names in a file are fetched and kept. With --json, each has a title, and \
        in seconds a start and, where it is said, an end; link is its address.
        """)
    @Argument(help: "The number of the article.") var article: Int64
    @OptionGroup var options: LibraryOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let library = try options.library()
      let id = Article.ID(rawValue: article)
      let chapters = try await CommandFailure.naming(id) {
        try await library.fetchedChapters(of: id)
      }
      try output.print(chapters) {
        chapters.map { "\(Attachment.clock($0.start))  \(printable($0.title))" }
          .joined(separator: "\n")
      }
    }
  }

  struct Transcript: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "transcript", abstract: "Print what is said in an article's episode.",
      discussion: """
        It is fetched and kept: of several that the feed names, one in the language of the locale, and \
        of these WebVTT, SubRip, JSON, HTML and plain text in this order.

        With --json, cues has its parts with their text, and where these are known a speaker, and a \
        start and an end in seconds; it is empty where the transcript is a web page. text has all of it.
        """)
    @Argument(help: "The number of the article.") var article: Int64
    @Flag(help: "Print the words alone, without the title of the article and without times.")
    var text = false
    @OptionGroup var options: LibraryOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
      if text && output.json { throw ValidationError("Give --json or --text, not both.") }
    }

    func run() async throws {
      let settings = try options.settings
      let library = try options.library(settings)
      let id = Article.ID(rawValue: article)
      let transcript = try await CommandFailure.naming(id) {
        try await library.transcript(of: id)
      }
      let isWrapped = !output.json && !text
      let width = isWrapped ? OutputWidth.columns : nil
      let lines = DocumentText(
        width: width.map { min($0, settings.configuration.reader.measure) })
      let words = lines.text(text ? transcript.words : transcript.document)
      let answer: Answer = [
        "articleID": transcript.article.id.rawValue, "title": transcript.article.title,
        "address": transcript.address, "language": transcript.language, "cues": transcript.cues,
        "text": words,
      ]
      try output.print(answer) {
        text ? words : lines.text(transcript.articleDocument)
      }
    }
  }
}
