import Articles
import Foundation
import HTTP
import Loading
import Pictures
import TerminalUI

/// A command of the user's for articles: a table `[[command]]` of the configuration file.
struct ArticleCommand: Hashable, Sendable {
  /// The format of the article on a command's standard input.
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
  let keys: [KeySequence]
  let command: OutsideCommand
  /// What the command reads from its standard input; nil for nothing.
  var input: Input?
  /// Whether the command gets the terminal until it ends.
  var isForeground = false
  /// Whether the reader waits for Enter before it takes the terminal back; nil to wait only if the
  /// user needs the time to read the command's output.
  var waits: Bool?

  /// A command that ends sooner has probably printed something, rather than shown a screen of its
  /// own.
  private static let moment = Duration.seconds(1)

  /// Whether the reader waits for Enter after a program that had the terminal.
  func waits(after ending: ChildProcess.Ending, lasting time: Duration) -> Bool {
    if let waits { return waits }
    switch ending {
    case .status(0): return time < Self.moment
    case .status: return true
    // The user ended the program with a key.
    case .signal(SIGINT), .signal(SIGQUIT): return false
    case .signal: return true
    }
  }
}

extension ReaderModel {
  /// Runs a command of the user's on an article.
  ///
  /// - Parameter terminal: is lent to the command; nil if there is none.
  func run(_ command: ArticleCommand, on article: Article, _ terminal: TerminalHandle?) {
    let document = source.document(article.id)
    program { [self] in
      do {
        var values = article.values
        if command.command.has(.enclosure) {
          values[.enclosure] = try await source.enclosure(article.id)
        }
        let download = downloads.complete(of: article).first
        let arguments =
          if let download {
            try await command.command.arguments(
              playing: download, values, positionsFolder: downloads.source.positionsFolder)
          } else {
            try command.command.arguments(values)
          }
        let input = try await command.input?.text(from: document)
        let ended =
          if let download, command.command.has(.positions) {
            await whilePlaying(download) {
              await outcome(of: command, arguments, input: input, terminal: terminal, problem: $0)
            }
          } else {
            await outcome(of: command, arguments, input: input, terminal: terminal)
          }
        if let words = ended?.words(command.name) { say(words) }
      } catch let failure as OutsideCommand.Failure {
        say(failure.words)
      } catch HTTPError.privateAddress(let host) {
        say("Not run: a public feed may not lead into your network (\(host)).")
      } catch {
        say("Not run: \(UserMessage(error).what)")
      }
    }
  }

  /// Runs a command to its end.
  ///
  /// - Parameter problem: a message that is shown beside it, if there is one.
  /// - Returns: nil if it needs the terminal and there is none.
  private func outcome(
    of command: ArticleCommand, _ arguments: [String], input: String?, terminal: TerminalHandle?,
    problem: String? = nil
  ) async -> ProgramOutcome? {
    guard command.isForeground else {
      say(problem ?? "Started: \(command.name)")
      return await command.command.run(arguments, reading: input)
    }
    guard let terminal else { return nil }
    // The last notice no longer describes what is on the screen.
    notice.set(.loaded(nil))
    let outcome = await terminal.lend { [clock] in
      let start = clock.now
      let outcome = await command.command.run(arguments, reading: input, hasTerminal: true)
      if case .ended(let ending, _) = outcome.end,
        command.waits(after: ending, lasting: start.duration(to: clock.now))
      {
        await LentTerminal.waitForEnter()
      }
      return outcome
    }
    if let problem { say(problem) }
    return outcome
  }
}

/// The terminal while another program has it.
private enum LentTerminal {
  /// Waits until the user presses Enter or Ctrl-C, or the terminal is gone.
  static func waitForEnter() async {
    await withCheckedContinuation { continuation in
      // Not on a thread of the cooperative pool, which others need: the user may take an hour.
      DispatchQueue(label: "lent terminal", qos: .userInteractive).async {
        // Reads single keys, whatever modes the program has left behind. Ctrl-C must not send a
        // signal, since the program that it was meant for has ended. The reader sets its own modes
        // when it takes the terminal back.
        var modes = termios()
        tcgetattr(STDIN_FILENO, &modes)
        cfmakeraw(&modes)
        modes.c_oflag |= tcflag_t(OPOST | ONLCR)
        tcsetattr(STDIN_FILENO, TCSANOW, &modes)
        // Written only after the modes are set: a user who sees the text may press Ctrl-C.
        let words = Array("\nPress Enter to go back. ".utf8)
        _ = words.withUnsafeBytes { Foundation.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
        var byte: UInt8 = 0
        while true {
          let count = Foundation.read(STDIN_FILENO, &byte, 1)
          if count < 0, errno == EINTR { continue }
          if count <= 0 || [0x0A, 0x0D, 0x03, 0x04].contains(byte) { break }
        }
        continuation.resume()
      }
    }
  }
}

extension ArticleCommand.Input {
  /// Formats the article; off the main actor, since it may be long.
  @concurrent
  fileprivate func text(from document: Loader<ArticleDocument>) async throws -> String {
    text(of: try await document.value())
  }
}

extension Article {
  /// The values of the placeholders.
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
  /// Binds the keys of the user's commands; `withArticle` is called when a key is pressed.
  func commandKeys(
    _ model: ReaderModel, when isActive: Bool, _ terminal: TerminalHandle?,
    _ withArticle: @escaping @MainActor (@escaping @MainActor (Article) -> Void) -> Void
  ) -> some View {
    onKeyPress(
      (isActive ? model.programSettings.configuration.commands : []).map { command in
        KeyBinding(sequences: command.keys, label: command.name, footer: .ifRoom) {
          withArticle { model.run(command, on: $0, terminal) }
        }
      })
  }
}
