import Articles
import Loading
import TerminalUI

/// The screen of an open article.
struct ArticleScreen: View {
  let model: ReaderModel
  let article: Article
  let days: DayText
  @Environment(\.isPlain) private var isPlain
  @Environment(\.showsPictures) private var showsPictures
  @Environment(\.terminal) private var terminal
  @FocusState private var isReading: Bool
  @FocusState private var isTypingToFind: Bool

  /// With fewer rows than this, all of them are used for the text.
  private static let heightForMargins = 9

  var body: some View {
    GeometryReader { size in
      let isLow = size.height < Self.heightForMargins
      VStack(alignment: .leading) {
        Text(article.shownTitle).lineLimit(isLow ? 1 : max(2, size.height / 4)).paneTitle()
        if !isLow {
          Text(sourceWords).foregroundStyle(\.secondary).lineLimit(1)
        }
        AsyncContentView(model.document(of: article)) { content in
          ArticleText(
            content: content, proxy: proxy(for: content),
            isJustified: model.settings.isJustified,
            pictures: showsPictures
              ? DocumentPictures(
                pictures: model.pictures, height: pictureHeight(in: size), origin: content.origin,
                remote: model.remotePictures(of: article)) : nil,
            finder: model.finder, mayCopy: model.mayCopy
          ) { number, isCopied in
            if isCopied {
              model.copyLink(number, of: content, by: terminal)
            } else {
              model.openLink(number, of: content)
            }
          }
        }
        .placeholder(.sample(of: article))
        .empty(when: \.isEmpty) {
          NoText(hasAddress: article.link != nil, canFetch: !article.isBundled)
        }
        .accessibilityLabel("Article")
        .padding(.top, isLow ? 0 : 1)
        .focused($isReading)
        if isFinding, let content = model.document(of: article).latestValue {
          FindBar(
            finder: model.finder, proxy: model.places.proxy(of: content), isTyping: $isTypingToFind
          ) { isReading = true }
        }
      }
      .frame(maxWidth: model.settings.measure)
      .padding(.horizontal, isLow ? 0 : 1)
      .frame(maxWidth: .infinity)
      .sheet(isPresented: model.shows(.contents), title: "Contents") {
        if let content = model.document(of: article).latestValue {
          ContentsSheet(
            document: content.document, proxy: model.places.proxy(of: content)
          ) { model.sheet = nil }
        }
      }
      .sheet(isPresented: model.shows(.chapters), title: "Chapters") {
        ChapterSheet(model: model, article: article) { model.sheet = nil }
      }
      .sheet(isPresented: model.shows(.enclosures), title: "Enclosed files") {
        EnclosureSheet(files: enclosures, model: model, size: size, submitLabel: "download") {
          // Closed first, since the sheet would cover the notice.
          model.sheet = nil
          model.download(article, $0)
        }
      }
      .sheet(isPresented: model.shows(.files), title: "Downloaded files") {
        EnclosureSheet(
          files: complete.map(\.enclosure), model: model, size: size, submitLabel: "play"
        ) { file in
          model.sheet = nil
          if let download = complete.first(where: { $0.enclosure.address == file.address }) {
            model.play(download, terminal)
          }
        }
      }
      .onKeyPress(
        counted: .nextMatch, footer: hasMatches ? .first : .never, when: isFinding
      ) { goToMatch($0) }
      .onKeyPress(counted: .previousMatch, when: isFinding) { goToMatch(-$0) }
      .onKeyPress(action: .back, label: "end find", when: isFinding) {
        model.finder.close()
        isReading = true
      }
      .onKeyPress(action: .back, label: "article", when: isTranscript) { toggleTranscript() }
      .onKeyPress(action: .findInArticle, footer: .never) { find() }
      .onKeyPress(action: .download, footer: offersDownload ? .first : .never) {
        model.downloadEnclosure(of: article)
      }
      .onKeyPress(action: .play, footer: complete.isEmpty ? .never : .first) {
        if complete.count > 1 {
          model.sheet = .files
        } else {
          model.play(article, terminal)
        }
      }
      .onKeyPress(
        action: .transcript, label: isTranscript ? "article" : KeyAction.transcript.label,
        when: isTranscript || model.extras(of: article).hasTranscript
      ) { toggleTranscript() }
      .onKeyPress(action: .chapters, when: model.extras(of: article).hasChapters) {
        model.sheet = .chapters
      }
      .onKeyPress(
        action: .fullText, label: model.showsFullText(of: article) ? "feed's text" : "full text",
        when: article.link != nil && !article.isBundled && !isTranscript
      ) { model.toggleFullText(of: article) }
      .onKeyPress(action: .contents, footer: hasHeadings ? .ifRoom : .never) { showContents() }
      .onKeyPress(action: .jumpBack, footer: .first, when: hasJumped) { shownProxy?.scrollBack() }
      .onKeyPress(
        action: .loadPictures,
        when: showsPictures && model.remotePictures(of: article) == .announced
          && model.document(of: article).latestValue?.document.hasWebPictures == true
      ) { model.loadPictures(of: article) }
      // Without an address they say that there is none.
      .onKeyPress(action: .copyAddress, footer: article.link == nil ? .never : .ifRoom) {
        model.copy(article.link, by: terminal)
      }
      .onKeyPress(action: .saveArticle, footer: .ifRoom) { model.save(article) }
      .onKeyPress(counted: .wider) {
        model.changeMeasure(by: $0, room: size.width - (isLow ? 0 : Self.columnsOfMargin))
      }
      .onKeyPress(counted: .narrower) {
        model.changeMeasure(by: -$0, room: size.width - (isLow ? 0 : Self.columnsOfMargin))
      }
      .onKeyPress(action: .justify, footer: .ifRoom) { model.toggleJustification() }
      .articleKeys(model, browserInFooter: article.link == nil ? .never : .first) { $1(article) }
      .commandKeys(model, when: true, terminal) { $0(article) }
      .onKeyPress(action: .leaveArticle, footer: .ifRoom) { model.close() }
    }
    .focusSection("Article")
    .onChange(of: minutesOfPage, initial: true) { _, minutes in
      if let minutes { model.minutesOfPages[article.id] = minutes }
    }
  }

  /// The reading time of the full text, which the store has recorded for the article.
  private var minutesOfPage: Int? {
    let content = model.document(of: article).latestValue
    return content?.textSource == .page ? content?.article.readingMinutes : nil
  }

  /// The marks and the source of the article, and a hint if the text is not the feed's own.
  private var sourceWords: String {
    let content = model.document(of: article).latestValue
    let marked = model.current(article)
    // The full text has a reading time of its own, which the list does not know yet.
    let words = marked.source(days, minutes: (content?.article ?? article).readingMinutes)
    // An article that is opened is read, so only a mark of the user's own makes it unread here.
    let star = isPlain ? "Starred · " : "★ "
    let marks =
      (marked.isStarred ? star : "") + (marked.isRead || marked.isBundled ? "" : "Unread · ")
    let kind =
      switch content?.textSource {
      case .page: "Full text · "
      case .transcript: "Transcript · "
      case .feed, nil: ""
      }
    return marks + downloadWords + kind + words
  }

  private var hasHeadings: Bool {
    model.document(of: article).latestValue?.document.headings.isEmpty == false
  }

  private var enclosures: [Attachment] { model.extras(of: article).enclosures }

  /// The state of the download, or how many of several files are complete.
  private var downloadWords: String {
    let downloads = model.downloads.all(of: article)
    guard let first = downloads.first else { return "" }
    return downloads.count == 1
      ? "Download: \(model.downloads.words(first)) · "
      : "Downloads: \(complete.count) of \(downloads.count) · "
  }

  private var complete: [Download] { model.downloads.complete(of: article) }

  private var offersDownload: Bool {
    enclosures.count > 1 || !enclosures.isEmpty && complete.isEmpty
  }

  private var isTranscript: Bool { model.showsTranscript(of: article) }

  private func toggleTranscript() {
    model.toggleTranscript(of: article)
    isReading = true
  }

  private func showContents() {
    guard let content = model.document(of: article).latestValue else { return }
    if content.document.headings.isEmpty {
      model.say("This article has no headings.")
    } else {
      model.sheet = .contents
    }
  }

  private var isFinding: Bool { model.finder.article == article.id }

  private var hasMatches: Bool { isFinding && !model.finder.matches.isEmpty }

  private func find() {
    guard let proxy = shownProxy else { return }
    if !isFinding { proxy.noteOrigin() }
    model.finder.open(in: article, from: proxy.position)
    // At once, so that keys typed right after this one go to the field.
    isTypingToFind = true
  }

  private func goToMatch(_ step: Int) {
    guard let proxy = shownProxy else { return }
    if let match = model.finder.step(by: step) {
      proxy.scroll(to: match)
    } else if let found = model.finder.found.latestValue, found.pattern != nil,
      !model.finder.found.isLoading
    {
      let place = found.isInTitle ? "only in the title of" : "not in"
      model.say("“\(shortTitle(model.finder.typed))” is \(place) this article.")
    }
  }

  /// The proxy of the article's scroll position; nil until the article is loaded.
  private var shownProxy: ScrollProxy? {
    model.document(of: article).latestValue.map(model.places.proxy)
  }

  private var hasJumped: Bool { shownProxy?.origin != nil }

  private static let columnsOfMargin = 2

  /// Returns the proxy of the article's scroll position.
  ///
  /// The placeholder gets a separate one: its position would be stored as that of the article, which
  /// would then open at its top.
  private func proxy(for content: ArticleDocument) -> ScrollProxy {
    model.document(of: article).latestValue == nil
      ? ScrollProxy() : model.places.proxy(of: content)
  }

  /// Returns the maximum height of a picture, which fits on the screen with its description.
  private func pictureHeight(in size: Size) -> Int {
    min(max(size.height - Self.rowsBesidePicture, 3), Self.highestPicture)
  }

  private static let rowsBesidePicture = 6
  private static let highestPicture = 32
}

extension Article {
  /// The title, or a word that replaces a missing one.
  var shownTitle: String { title.isEmpty ? "Untitled" : title }

  /// Describes the source of the article: its feed, author, date and reading time.
  func source(_ days: DayText, minutes: Int?) -> String {
    // Short enough to leave room for the rest.
    var parts = [feedTitle.isEmpty ? "" : shortTitle(feedTitle, 40)]
    if !alsoIn.isEmpty { parts.append(others) }
    if let author, author != feedTitle { parts.append(author) }
    if let published { parts.append(days.full(published)) }
    if let minutes { parts.append("\(minutes) min") }
    return (parts + [shownTags]).filter { !$0.isEmpty }.joined(separator: " · ")
  }
}

extension ArticleDocument {
  /// Whether the whole article has no text.
  fileprivate var isEmpty: Bool { isWhole && document.blocks.isEmpty }
}

private struct NoText: View {
  let hasAddress: Bool
  let canFetch: Bool

  var body: some View {
    VStack(alignment: .leading) {
      Text("The feed has no text for this article.")
      if hasAddress, canFetch { KeyHint(.fullText, "to fetch it from its web page") }
      if hasAddress { KeyHint(.openInBrowser, "to read it in the browser") }
    }
    .frame(maxWidth: .infinity, maxHeight: .infinity)
    .focusable()
  }
}
