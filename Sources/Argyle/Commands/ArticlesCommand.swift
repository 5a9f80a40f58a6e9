import ArgumentParser
import Articles
import Foundation
import Loading

/// The `articles` command: lists, shows, searches and marks stored articles.
struct ArticlesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "articles", abstract: "List, show, search and mark the stored articles.",
    discussion: "This fetches nothing but the full text of an article (show --full-text); argyle "
      + "reload fetches feeds.",
    subcommands: [List.self, Show.self, Search.self, Mark.self], defaultSubcommand: List.self)

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List articles, newest first unless --sort says otherwise.",
      discussion:
        """
        Each line begins with the article's number. ● marks an unread article, ★ a starred one.

        \(QueryOption.explanation)
        """)
    @OptionGroup var unknown: UnknownWords
    @OptionGroup var filter: ArticleFilter
    @Option(
      help: "The order. The feeds are in the order of their titles, the newest of each first.")
    var sort = ArticleOrder.newest
    @Option(
      name: .shortAndLong, parsing: .unconditional,
      help: "The maximum number of articles: the first ones of the order.")
    var limit: Int?
    @Option(
      help: ArgumentHelp(
        "What a line shows, as in reader.article-row: '{date} {feed:15} {title}'.",
        valueName: "format"),
      transform: { text in
        do throws(TableProblem) {
          return try RowFormat<ArticleField>(text)
        } catch {
          throw ValidationError(printable("\(error.message)."))
        }
      })
    var row = RowFormat<ArticleField>()
    @OptionGroup var options: LibraryOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
      try filter.check(limit: limit)
      if output.json, !row.isOwn { throw ValidationError("Give --json or --row, not both.") }
    }

    func run() async throws {
      try unknown.refuse(in: ArticlesCommand.self)
      let library = try options.library()
      var query = try await filter.query(in: library, limit: limit)
      query.order = sort
      let articles = try await library.storedArticles(matching: query)
      try output.print(articles.map { $0.answer() }, noteIfEmpty: "No articles.") {
        ArticleLines(format: row).text(articles)
      }
    }
  }

  struct Show: AsyncParsableCommand {
    enum Format: String, ExpressibleByArgument, CaseIterable {
      case text, markdown, html
    }

    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Print an article.",
      usage: "argyle articles show <number> [<options>]",
      discussion: """
        On a terminal, text is wrapped to its width, or to reader.measure of the configuration file \
        where that is less. In a file, a pipe and JSON a paragraph is one line.

        The text is that of the article's web page where that was fetched, and else the feed's own. \
        --full-text fetches the page if that was not done before.
        """)
    @Argument(
      parsing: .allUnrecognized,
      help: ArgumentHelp("The article's number, as list and search print it.", valueName: "number"))
    var numbers: [String]
    @Option(help: "The format.")
    var format = Format.text
    @Flag(help: "Fetch the full text from the article's web page, and keep it.")
    var fullText = false
    @Flag(help: "Print the feed's own text.")
    var feedText = false
    @OptionGroup var options: LibraryOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
      guard try Article.ID.named(numbers).count == 1 else {
        throw ValidationError("Only one article can be shown at a time.")
      }
      if fullText && feedText {
        throw ValidationError("Give --full-text or --feed-text, not both.")
      }
    }

    func run() async throws {
      let settings = try options.settings
      let library = try options.library(settings)
      let id = try Article.ID.named(numbers)[0]
      let content = try await CommandFailure.naming(id) {
        fullText
          ? try await library.fullDocument(of: id)
          : try await library.storedDocument(of: id, from: feedText ? .feed : nil)
      }
      let text =
        switch format {
        case .text: DocumentText(width: width(settings)).text(content)
        case .markdown: content.markdown
        case .html: content.html
        }
      // The text has no control characters except for newlines.
      try output.print(
        content.article.answer(text: text, textSource: content.textSource)
      ) { text }
    }

    /// Returns the reader's width on a terminal that has room for it; nil for a file, a pipe or
    /// JSON, whose readers wrap lines themselves.
    private func width(_ settings: Settings) -> Int? {
      guard !output.json, let columns = OutputWidth.columns else { return nil }
      return min(columns, settings.configuration.reader.measure)
    }
  }

  struct Search: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "search", abstract: "Search the articles.",
      discussion: """
        An article is found if it contains all of the words, in any order; of the last word, the \
        beginning is enough. Words in double quotes must follow each other. The best results come \
        first. The exit status is 1 if nothing is found.

        \(QueryOption.explanation)
        """)
    @Argument(
      help: ArgumentHelp(
        "The words to search for, and conditions such as unread or age<7d.", valueName: "query"))
    var words: [String]
    @OptionGroup var filter: ArticleFilter
    @Option(
      name: .shortAndLong, parsing: .unconditional,
      help: "The maximum number of articles; 20 without this option.")
    var limit: Int?
    @OptionGroup var options: LibraryOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
      try filter.check(limit: limit)
      _ = try condition()
    }

    private func condition() throws -> ArticleCondition {
      guard let condition = try QueryOption.condition(words.joined(separator: " "), isLast: true)
      else { throw ValidationError("Give at least one word to search for.") }
      return condition
    }

    func run() async throws {
      let library = try options.library()
      let query = try await filter.query(in: library)
      // One more tells whether there are others.
      let limit = self.limit ?? 20
      let found = try await library.found(
        try condition(), in: query, limit: self.limit == nil ? limit + 1 : limit)
      let results = Array(found.prefix(limit))
      try output.print(
        results.map { $0.article.answer(snippet: $0.snippet.text) }
      ) { ArticleLines().text(results) }
      if found.count > limit {
        StandardError.write("argyle: There are more than these \(limit). --limit shows more.\n")
      }
      if let gap = try await library.searchGap(of: words.joined(separator: " ")) {
        guard !results.isEmpty else { throw gap }
        StandardError.write("argyle: \(gap.message.what)\n")
      }
      if results.isEmpty {
        if let correction = try await library.correction(of: words.joined(separator: " ")) {
          StandardError.write(printable(correction.words) + "\n")
        }
        throw ExitCode.failure
      }
    }
  }

  struct Mark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "mark",
      abstract: "Mark articles as read or unread, star them, or give them tags.",
      discussion: """
        --tag later puts articles on the list Read later. --tag and --untag may be given several times.

        With --json, the answer is the articles as they are now: those with the numbers, or those \
        of --matching that were changed.

        \(QueryOption.explanation)
        """)
    @Argument(
      parsing: .allUnrecognized,
      help: ArgumentHelp(
        "The articles' numbers, as list and search print them.", valueName: "number"))
    var numbers: [String] = []
    @Option(
      help: ArgumentHelp(
        "Mark every article that matches a query, such as 'feed:news and age>7d'.",
        valueName: "query"))
    var matching: String?
    @Flag(help: "Mark them as read.") var read = false
    @Flag(help: "Mark them as unread.") var unread = false
    @Flag(help: "Star them: starred articles are kept, however old they become.") var star = false
    @Flag(help: "Remove their star.") var unstar = false
    @Option(
      name: .customLong("tag"),
      help: ArgumentHelp("Give them a tag: such articles are kept, too.", valueName: "tag"))
    var tags: [String] = []
    @Option(name: .customLong("untag"), help: ArgumentHelp("Take a tag away.", valueName: "tag"))
    var untags: [String] = []
    @OptionGroup var options: LibraryOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
      _ = try Article.ID.named(numbers)
      if let matching {
        guard numbers.isEmpty else {
          throw ValidationError("Give numbers or --matching, not both.")
        }
        guard try QueryOption.condition(matching) != nil else {
          throw ValidationError("--matching must have a word or a condition.")
        }
      } else if numbers.isEmpty {
        throw ValidationError("Give at least one number, or --matching.")
      }
      guard read || unread || star || unstar || !(tags + untags).isEmpty else {
        throw ValidationError(
          "Give at least one of --read, --unread, --star, --unstar, --tag and --untag.")
      }
      try ArticleTag.check(adding: tags, removing: untags)
      if read && unread { throw ValidationError("Give --read or --unread, not both.") }
      if star && unstar { throw ValidationError("Give --star or --unstar, not both.") }
    }

    func run() async throws {
      let library = try options.library()
      var articles = try await articles(in: library)
      let isMatched = !articles.isEmpty
      let changed = try await mark(articles.map(\.id), in: library)
      if matching != nil { articles.removeAll { !changed.contains($0.id) } }
      if output.json {
        let current = try await library.articles(Array(Set(articles.map(\.id)))).value()
        articles = articles.map { current[$0.id] ?? $0 }
      }
      try output.print(articles.map { $0.answer() }) {
        isMatched ? words(about: changed.count) : "No articles match."
      }
    }

    /// Sets the marks, and returns the articles that were changed.
    private func mark(_ ids: [Article.ID], in library: Library) async throws -> Set<Article.ID> {
      var changed: Set<Article.ID> = []
      if read || unread { changed.formUnion(try await library.setRead(read, of: ids)) }
      if star || unstar { changed.formUnion(try await library.setStarred(star, of: ids)) }
      if !(tags + untags).isEmpty {
        changed.formUnion(try await library.tag(ids, adding: tags, removing: untags))
      }
      return changed
    }

    /// Returns a sentence that says what was done with how many articles.
    private func words(about count: Int) -> String {
      guard count > 0 else {
        return "Nothing to do: all of them are marked so already."
      }
      func names(_ tags: [String]) -> String {
        tags.map { "“\(printable($0))”" }.joined(separator: " and ")
      }
      let marks = [
        read ? "marked as read" : unread ? "marked as unread" : nil,
        star ? "starred" : unstar ? "unstarred" : nil,
        tags.isEmpty ? nil : "tagged \(names(tags))",
        untags.isEmpty ? nil : "untagged \(names(untags))",
      ]
      return "\(counted(count, "article")) \(marks.compactMap(\.self).joined(separator: ", "))."
    }

    private func articles(in library: Library) async throws -> [Article] {
      if let condition = try matching.flatMap({ try QueryOption.condition($0) }) {
        // The handbook, which is listed until a feed is added, has no marks.
        return try await library.storedArticles(matching: ArticleQuery(where: condition))
          .filter { !$0.isBundled }
      }
      var articles: [Article] = []
      // Looks up all articles before anything is changed, so that a mistyped number changes
      // nothing.
      for id in try Article.ID.named(numbers) {
        guard let article = try await library.storedArticle(id) else {
          throw id.isBundled ? CommandFailure.handbook : .noArticle(id)
        }
        articles.append(article)
      }
      return articles
    }
  }
}

extension ArticleOrder: ExpressibleByArgument {}

extension Article.ID {
  /// Parses the articles that a command names by their numbers.
  ///
  /// Articles of the handbook have negative numbers, which the parser takes for options. The
  /// argument therefore collects every word that is not one of the command's options, and `--`, too.
  ///
  /// - Throws: `ValidationError` for a word that is not a number.
  fileprivate static func named(_ words: [String]) throws -> [Article.ID] {
    try words.filter { $0 != "--" }.map { word in
      guard let number = Int64(word) else {
        let word = printable(word)
        throw ValidationError(
          word.hasPrefix("-")
            ? "Unknown option “\(word)”." : "“\(word)” is not an article's number.")
      }
      return Article.ID(rawValue: number)
    }
  }
}

extension CommandFailure {
  static func noArticle(_ id: Article.ID) -> CommandFailure {
    CommandFailure(
      status: .notThere, "There is no article \(id.rawValue).",
      advice: "argyle articles list prints the numbers of the stored articles.")
  }

  /// Runs `body`; if its article does not exist, the error names the article.
  static func naming<Value>(
    _ id: Article.ID, _ body: () async throws -> Value
  ) async throws -> Value {
    do {
      return try await body()
    } catch LibraryError.articleGone {
      throw noArticle(id)
    }
  }

  fileprivate static let handbook = CommandFailure(
    status: .badData, "The handbook's articles cannot be marked.",
    advice: "Marks are kept for the articles of your own feeds.")
}

extension ArticleTag {
  /// Throws unless each text is the name of one tag, and none is both added and removed; for the
  /// options `--tag` and `--untag`.
  static func check(adding added: [String], removing removed: [String]) throws {
    for tag in added + removed where tag.contains(",") || names(typed: tag).count != 1 {
      throw ValidationError("“\(printable(tag))” is not a tag: it must be one name without commas.")
    }
    func folded(_ tag: String) -> [String] { names(typed: tag).map(FoldedText.folded) }
    let gone = removed.map(folded)
    if let tag = added.first(where: { gone.contains(folded($0)) }) {
      throw ValidationError("Give “\(printable(tag))” to --tag or to --untag, not to both.")
    }
  }
}
