import Articles
import Foundation
import Loading
import Pictures
import TerminalUI

/// A command of the user's for articles: a table `[[command]]` of the configuration file.
struct ArticleCommand: Hashable, Sendable {
  /// What a command reads from its standard input.
  enum Input: String, CaseIterable, Sendable {
    case text, markdown, html

    func text(of content: ArticleDocument) -> String {
      switch self {
      case .text: DocumentText(width: nil).text(content) + "\n"
      case .markdown: content.markdown
      case .html: content.html
      }
    }
  }

  let name: String
  let keys: [KeyPress]
  let command: OutsideCommand
  /// Nil for nothing.
  var input: Input?
  /// Whether it has the terminal until it ends.
  var isForeground = false
  /// Whether the reader waits for Enter before it takes the terminal back; nil for where that is
  /// needed to read what the program has written.
  var waits: Bool?

  /// A program that ends sooner has written something to be read, and shown nothing.
  private static let moment = Duration.seconds(1)

  /// Whether the reader waits for Enter after a program that had the terminal.
  func waits(after ending: ChildProcess.Ending, lasting time: Duration) -> Bool {
    if let waits { return waits }
    switch ending {
    case .status(0): return time < Self.moment
    case .status: return true
    // By the user's own keys.
    case .signal(SIGINT), .signal(SIGQUIT): return false
    case .signal: return true
    }
  }
}

extension ReaderModel {
  /// Runs a command of the user's on an article.
  ///
  /// - Parameter lend: lends the terminal; nil where there is none.
  func run(_ command: ArticleCommand, on article: Article, _ lend: LendTerminalAction?) {
    let arguments: [String]
    do throws(OutsideCommand.Failure) {
      arguments = try command.command.arguments(article.values)
    } catch {
      return say(error.words)
    }
    let document = source.document(article.id)
    program { [self] in
      do {
        let input = try await command.input?.text(from: document)
        if command.isForeground {
          guard let lend else { return }
          // The words of a moment ago are no longer about what is on the screen.
          notice.set(.loaded(nil))
          var outcome: Outcome?
          await lend { [clock] in
            let start = clock.now
            outcome = await Self.run(command, arguments, input)
            if case .ended(let ending, _) = outcome,
              command.waits(after: ending, lasting: start.duration(to: clock.now))
            {
              await LentTerminal.waitForEnter()
            }
          }
          if let outcome { tell(outcome, of: command) }
        } else {
          say("Started: \(command.name)")
          tell(await Self.run(command, arguments, input), of: command)
        }
      } catch {
        say("Not run: the text of the article could not be loaded.")
      }
    }
  }

  /// What came of a program.
  private enum Outcome {
    case notStarted(ChildProcess.Failure)
    /// With the first line of its errors, unless those went to the terminal.
    case ended(ChildProcess.Ending, errors: String?)
  }

  /// Until it ends; off the main actor, since the text is written to a file first.
  @concurrent
  private nonisolated static func run(
    _ command: ArticleCommand, _ arguments: [String], _ input: String?
  ) async -> Outcome {
    let own: ChildProcess.Stream = command.isForeground ? .inherited : .nothing
    do throws(ChildProcess.Failure) {
      let file = try input.map { text throws(ChildProcess.Failure) in
        try ChildProcess.namelessFile(text)
      }
      defer { if let file { Foundation.close(file) } }
      let errors = command.isForeground ? nil : try ChildProcess.namelessFile()
      defer { if let errors { Foundation.close(errors) } }
      let child = try ChildProcess.start(
        command.command.program, arguments, input: file.map { .descriptor($0) } ?? own,
        output: own, errors: errors.map { .descriptor($0) } ?? own,
        hasTerminal: command.isForeground)
      let ending = await ChildProcess.end(of: child)
      return .ended(ending, errors: errors.flatMap(ChildProcess.firstLine))
    } catch {
      return .notStarted(error)
    }
  }

  /// Says what went wrong with a command.
  private func tell(_ outcome: Outcome, of command: ArticleCommand) {
    switch outcome {
    case .ended(.status(0), _): break
    case .ended(.status(let status), let errors):
      let reason = errors.map { ": \(shortTitle($0))" } ?? "."
      say("“\(command.name)” ended with status \(status)\(reason)")
    case .ended(.signal(let signal), _):
      say("“\(command.name)” was ended by signal \(signal).")
    case .notStarted(let failure):
      let reason = String(cString: strerror(failure.code))
      say("“\(command.command.program)” could not be started (\(reason)).")
    }
  }
}

/// The terminal while another program has had it.
private enum LentTerminal {
  /// Waits until the user has pressed Enter, or the terminal is gone.
  static func waitForEnter() async {
    await withCheckedContinuation { continuation in
      // Not on a thread of the pool, which others need: a user may take an hour.
      DispatchQueue(label: "lent terminal", qos: .userInteractive).async {
        let words = Array("\nPress Enter to go back. ".utf8)
        _ = words.withUnsafeBytes { Foundation.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
        var byte: UInt8 = 0
        while true {
          let count = Foundation.read(STDIN_FILENO, &byte, 1)
          if count < 0, errno == EINTR { continue }
          if count <= 0 || byte == 0x0A || byte == 0x0D { break }
        }
        continuation.resume()
      }
    }
  }
}

extension ArticleCommand.Input {
  /// Off the main actor: an article may be long.
  @concurrent
  fileprivate func text(from document: Loader<ArticleDocument>) async throws -> String {
    text(of: try await document.value())
  }
}

extension Article {
  /// What placeholders stand for.
  fileprivate var values: [OutsideCommand.Placeholder: String] {
    var values: [OutsideCommand.Placeholder: String] = [.title: shownTitle, .feed: feedTitle]
    values[.link] = link
    values[.author] = author
    return values
  }
}

extension OutsideCommand.Failure {
  /// Why a command was not run.
  var words: String {
    switch self {
    case .missing(.link): "Not run: this article has no address."
    case .missing(let placeholder): "Not run: this article has no \(placeholder.rawValue)."
    case .notAWebAddress: "Not run: the link of this article is not a web address."
    case .looksLikeOption(let argument):
      "Not run: “\(shortTitle(argument))” looks like an option. Write \"--\" before it."
    }
  }
}

extension View {
  /// The commands of the user on an article, which is asked for when a key is pressed.
  func commandKeys(
    _ model: ReaderModel, when isActive: Bool, _ lend: LendTerminalAction?,
    _ article: @escaping @MainActor () -> Article?
  ) -> some View {
    onKeyPress(
      (isActive ? model.commands : []).map { command in
        KeyBinding(keys: command.keys, label: command.name, footer: .ifRoom) {
          if let article = article() { model.run(command, on: article, lend) }
        }
      })
  }
}
