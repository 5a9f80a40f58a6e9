import ArgumentParser
import Articles
import Foundation
import Loading

/// The articles, for scripts.
struct ArticlesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "articles", abstract: "List, show, search and mark the stored articles.",
    discussion: "Nothing is fetched: argyle reload does that.",
    subcommands: [List.self, Show.self, Search.self, Mark.self], defaultSubcommand: List.self)

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List articles, newest first.",
      discussion: "A dot marks what is unread. Each line begins with the article's number.")
    @OptionGroup var filter: ArticleFilter
    @Option(name: .shortAndLong, help: "How many there are at most.")
    var limit: Int?
    @OptionGroup var options: LibraryOptions
    @OptionGroup var output: OutputOptions

    func validate() throws { try filter.check(limit: limit) }

    func run() async throws {
      do {
        let library = try options.library()
        let query = try await filter.query(in: library, limit: limit)
        let articles = try await library.storedArticles(matching: query)
        try output.print(articles.map { ArticleAnswer($0) }) { ArticleLines().text(articles) }
      } catch { throw fail(error) }
    }
  }

  struct Show: AsyncParsableCommand {
    enum Format: String, ExpressibleByArgument, CaseIterable {
      case text, markdown, html
    }

    static let configuration = CommandConfiguration(abstract: "Print an article.")
    @Argument(help: "The article's number, as listed.")
    var id: Int64
    @Option(help: "How it is written (text, markdown or html).")
    var format = Format.text
    @OptionGroup var options: LibraryOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      do {
        let settings = try options.settings
        let library = try options.library(settings)
        let article = Article.ID(rawValue: id)
        guard try await library.hasArticle(article) else { throw CommandFailure.noArticle(article) }
        let content = try await library.storedDocument(of: article)
        let text =
          switch format {
          case .text: DocumentText(measure: settings.configuration.reader.measure).text(content)
          case .markdown: content.markdown
          case .html: content.html
          }
        try output.print(ArticleAnswer(content.article, text: text)) {
          // The ends of lines are the only controls that are ours.
          text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { printable(String($0)) }.joined(separator: "\n")
        }
      } catch { throw fail(error) }
    }
  }

  struct Search: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Search the articles.",
      discussion: """
        All words are looked for, in any order; of the last one the beginning is enough. Words in \
        quotes stand together. The best results come first. The status is 1 when there is none.
        """)
    @Argument(help: "What is looked for.")
    var words: [String]
    @OptionGroup var filter: ArticleFilter
    @Option(name: .shortAndLong, help: "How many there are at most.")
    var limit = 20
    @OptionGroup var options: LibraryOptions
    @OptionGroup var output: OutputOptions

    func validate() throws { try filter.check(limit: limit) }

    func run() async throws {
      do {
        let library = try options.library()
        let query = try await filter.query(in: library)
        let results = try await library.found(
          words.joined(separator: " "), in: query, limit: limit)
        try output.print(
          results.map { ArticleAnswer($0.article, snippet: $0.snippet.text) }
        ) { ArticleLines().text(results) }
        if results.isEmpty { throw ExitCode.failure }
      } catch { throw fail(error) }
    }
  }

  struct Mark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Mark articles as read or unread, or put a star on them.")
    @Argument(help: "The articles' numbers, as listed.")
    var ids: [Int64]
    @Flag(help: "They have been read.") var read = false
    @Flag(help: "They have not been read.") var unread = false
    @Flag(help: "They get a star, and are kept for ever.") var star = false
    @Flag(help: "Their star is taken away.") var unstar = false
    @OptionGroup var options: LibraryOptions

    func validate() throws {
      guard read || unread || star || unstar else {
        throw ValidationError("Say how: --read, --unread, --star or --unstar.")
      }
      if read && unread { throw ValidationError("Say --read or --unread, not both.") }
      if star && unstar { throw ValidationError("Say --star or --unstar, not both.") }
    }

    func run() async throws {
      do {
        let library = try options.library()
        let ids = ids.map { Article.ID(rawValue: $0) }
        // Before anything is changed: a mistyped number changes nothing.
        for id in ids where try await !library.hasArticle(id) {
          throw CommandFailure.noArticle(id)
        }
        if read || unread { try await library.setRead(read, of: ids) }
        if star || unstar { try await library.setStarred(star, of: ids) }
      } catch { throw fail(error) }
    }
  }
}

extension CommandFailure {
  /// There is none of a number that was given.
  fileprivate static func noArticle(_ id: Article.ID) -> CommandFailure {
    CommandFailure(
      status: .notThere, "There is no article \(id.rawValue).",
      advice: "List the articles to see which there are.")
  }
}
