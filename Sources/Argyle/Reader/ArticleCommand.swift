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
    Task {
      do {
        let input = try await command.input?.text(from: document)
        if command.isForeground {
          guard let lend else { return }
          // The words of a moment ago are no longer about what is on the screen.
          notice.set(.loaded(nil))
          var ending: Result<ChildProcess.Ending, ChildProcess.Failure>?
          await lend { ending = await Self.run(command, arguments, input) }
          if let ending { tell(ending, of: command) }
        } else {
          say("Started: \(command.name)")
          tell(await Self.run(command, arguments, input), of: command)
        }
      } catch {
        say("Not run: the text of the article could not be loaded.")
      }
    }
  }

  /// Until it ends; off the main actor, since the text is written to a file first.
  @concurrent
  private nonisolated static func run(
    _ command: ArticleCommand, _ arguments: [String], _ input: String?
  ) async -> Result<ChildProcess.Ending, ChildProcess.Failure> {
    let (program, hasTerminal) = (command.command.program, command.isForeground)
    do throws(ChildProcess.Failure) {
      let child =
        if let input {
          try ChildProcess.start(program, arguments, reading: input, hasTerminal: hasTerminal)
        } else {
          try ChildProcess.start(
            program, arguments, input: hasTerminal ? .inherited : .nothing,
            output: hasTerminal ? .inherited : .nothing, hasTerminal: hasTerminal)
        }
      return .success(await ChildProcess.end(of: child))
    } catch {
      return .failure(error)
    }
  }

  /// Says what went wrong with a command.
  private func tell(
    _ ending: Result<ChildProcess.Ending, ChildProcess.Failure>, of command: ArticleCommand
  ) {
    switch ending {
    case .success(.status(0)): break
    case .success(.status(let status)): say("“\(command.name)” ended with status \(status).")
    case .success(.signal(let signal)): say("“\(command.name)” was ended by signal \(signal).")
    case .failure(let failure):
      let reason = String(cString: strerror(failure.code))
      say("“\(command.command.program)” could not be started (\(reason)).")
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
