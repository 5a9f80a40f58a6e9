import ArgumentParser
import TerminalUI

/// The command line.
@main
struct Argyle: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "argyle",
    abstract: "Read articles in a terminal.",
    discussion: """
      Without a subcommand it opens the reader. As long as no feed is added, that shows the handbook.

      Every command takes --data-dir <directory>: where feeds and articles are kept (default: \
      argyle/ in $XDG_DATA_HOME).

      Of the environment it takes BROWSER (the program that opens links), NO_COLOR (no colours) and \
      ARGYLE_TIMEOUT (how many seconds a server may be silent; 20).
      """,
    version: "0.1.0",
    subcommands: [
      OpenCommand.self, FeedsCommand.self, ReloadCommand.self, DemoCommand.self,
      ScreenshotCommand.self,
    ],
    defaultSubcommand: OpenCommand.self)

  /// Runs the command that was asked for, on threads that leave an idle program asleep.
  @MainActor
  static func main() async {
    await withTaskExecutorPreference(TerminalApp.workers) { await main(nil) }
  }
}
