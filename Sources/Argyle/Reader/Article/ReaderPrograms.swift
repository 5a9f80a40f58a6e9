import Articles
import Loading
import Pictures

// The programs that keys start: browsers and the user's commands.
extension ReaderModel {
  /// How many programs may run at the same time.
  ///
  /// A key that is held down starts one after another, and each occupies a thread of a pool that
  /// the log and the pictures need, too.
  static let programLimit = 16

  /// Starts a program and waits for its end; if too many are running, says so instead.
  func program(_ run: @escaping @MainActor () async -> Void) {
    Task {
      guard programCount < Self.programLimit else {
        return say("Not started: \(programCount) programs that were started here still run.")
      }
      programCount += 1
      await run()
      programCount -= 1
    }
  }

  func openInBrowser(_ article: Article) {
    guard let link = article.link else {
      say("This article has no address.")
      return
    }
    openInBrowser(address: link)
  }

  /// Opens the web site of the selected feed.
  func openSite() {
    guard let site = selectedFeed?.site else { return say("This feed names no web site.") }
    openInBrowser(address: site)
  }

  func openInBrowser(address link: String) {
    program { [self] in
      // Said first: while the browser is started, another key may have something to say.
      say("Opening in the browser: \(link)")
      let browser = Browser(candidates: programSettings.configuration.browsers)
      do throws(Browser.Failure) {
        let (program, child) = try await browser.open(link)
        let start = clock.now
        let ending = await ChildProcess.end(of: child)
        let outcome = ProgramOutcome(
          program: program, end: .ended(ending, errors: nil), time: start.duration(to: clock.now))
        if outcome.failedSoon, let words = outcome.words(program) { say(words) }
      } catch {
        switch error {
        case .notAWebAddress: say("This link is not a web address, so it is not opened.")
        case .noBrowser:
          say("No browser was found. Set reader.browsers in the configuration file, or BROWSER.")
        }
      }
    }
  }
}
