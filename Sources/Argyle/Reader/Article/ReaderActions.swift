import Articles
import Foundation
import Loading
import TerminalUI

/// The actions on the open article.
extension ReaderModel {
  /// By how many columns a key makes lines wider or narrower.
  private static let widthStep = 4

  /// Applies the configured settings; settings that were changed by keys stay until the configured
  /// ones change.
  func apply(_ configured: ReaderSettings) {
    guard configured != configuredSettings else { return }
    let joinedBefore = configuredSettings.joinsDuplicates
    configuredSettings = configured
    settings = configured
    if configured.joinsDuplicates != joinedBefore { readAgain() }
  }

  /// Makes lines wider or narrower, within reason.
  ///
  /// - Parameter room: the maximum width of a line, in columns.
  func changeMeasure(by steps: Int, room: Int) {
    guard steps < 0 || settings.measure < room else {
      return say("Lines already take the whole width.")
    }
    let range = ReaderSettings.measures
    // Starts from the visible width, so that each step shows even if the configured width exceeds
    // the room.
    let measure = min(settings.measure, room) + steps * Self.widthStep
    settings.measure = min(max(measure, range.lowerBound), range.upperBound)
    say("Lines are at most \(settings.measure) columns wide.")
  }

  func toggleJustification() {
    settings.isJustified.toggle()
    say(settings.isJustified ? "Lines are justified." : "Lines are not justified.")
  }

  /// Whether the full text of an article is shown or being fetched.
  func showsFullText(of article: Article) -> Bool {
    let document = document(of: article)
    if document.isLoading, let wanted = wantedTexts[article.id] { return wanted == .page }
    return document.latestValue?.textSource == .page
  }

  /// Fetches the full text of an article, or returns to the feed's own.
  ///
  /// The current text stays until the other one is loaded, or if loading it fails. The other one
  /// begins at its top, or where the user left it.
  func toggleFullText(of article: Article) {
    let wanted: TextSource = showsFullText(of: article) ? .feed : .page
    wantedTexts[article.id] = wanted
    document(of: article).load(source.text(article.id, wanted), .restart, cause: .user)
  }

  /// Copies an address, if the terminal may be asked to.
  func copy(_ address: String?, by terminal: TerminalHandle?) {
    guard let address else { return say("This article has no address to copy.") }
    guard mayCopy() else { return }
    guard terminal?.copy(address) != false else {
      return say("Not copied: the address is too long for a terminal.")
    }
    say("Copied: \(address)")
  }

  /// Whether the terminal may be asked to copy; says why not.
  func mayCopy() -> Bool {
    guard let copyRefusal else { return true }
    say(copyRefusal)
    return false
  }

  /// Why nothing is copied; nil if the terminal may be asked to.
  var copyRefusal: String? {
    switch (settings.copying, programSettings.isClipboardKnown) {
    case (.off, _): "Copying is off. Change reader.copying in the configuration file."
    case (.known, false):
      "Copying is off in this terminal. To turn it on: reader.copying = \"osc52\""
    case (.known, true), (.osc52, _): nil
    }
  }

  /// Copies the address of a link in a text.
  func copyLink(_ number: Int, of content: ArticleDocument, by terminal: TerminalHandle?) {
    guard let link = content.document.links.first(where: { $0.number == number }) else {
      return say("This link has no address to copy.")
    }
    copy(link.address, by: terminal)
  }

  /// Calls `body` with the text of an article, once enough of it is loaded.
  ///
  /// - Parameters:
  ///   - loss: the message if the program ends before that.
  ///   - isEnough: by default, all of it is needed.
  func withText(
    _ document: Resource<ArticleDocument>, loss: String,
    isEnough: @escaping @MainActor (ArticleDocument) -> Bool = { $0.isWhole },
    _ body: @escaping @MainActor (ArticleDocument) -> Void
  ) {
    if let content = document.latestValue, isEnough(content) { return body(content) }
    withdrawNotice()
    document.prefetch()
    begin(loss: loss) {
      for await state in document.states() {
        if state.value.map(isEnough) == true || !document.isLoading { break }
      }
      return document.latestValue
    } then: { [self] in
      guard let content = $0, isEnough(content) else { return say("The text is not loaded.") }
      body(content)
    }
  }

  /// Saves an article as Markdown, once its text is loaded.
  func save(_ article: Article) {
    let loss = "“\(shortTitle(article.title))” was not saved."
    withText(document(of: article), loss: loss) { [self] content in
      write(loss) { [programSettings] in
        do throws(ArticleFile.Failure) {
          let path = try ArticleFile.save(content, in: programSettings.saveFolder)
          return Notice(words: "Saved: \(path)")
        } catch {
          let reason = String(cString: strerror(error.code))
          return Notice(words: "Not saved (\(reason)): \(error.path)")
        }
      }
    }
  }

  /// Follows a link in a text: opens it in the browser, or scrolls to the place in the text.
  func openLink(_ number: Int, of content: ArticleDocument) {
    let document = content.document
    if let jump = document.jumps.first(where: { $0.number == number }) {
      return places.proxy(of: content).scroll(toName: String(jump.address.dropFirst()))
    }
    guard let link = document.links.first(where: { $0.number == number }) else {
      return say("This article has no link \(number).")
    }
    openInBrowser(address: link.address)
  }
}
