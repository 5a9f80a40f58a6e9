import ArgumentParser
import Articles
import Foundation
import HTTP
import Loading
import Pictures
import Socks
import TerminalUI

/// Opens the reader.
struct OpenCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "open", abstract: "Open the reader (the default).")
  @OptionGroup var options: LibraryOptions
  @OptionGroup var display: DisplayOptions

  func run() async throws {
    try await opened(try display.applied(to: options.settings))
  }

  @MainActor
  private func opened(_ settings: Settings) async throws {
    do {
      let model = ProgramModel(
        source: ArticleSource(
          try options.library(), freshness: settings.freshness,
          dayStart: { DayText.local.dayStart }),
        browser: Browser(candidates: settings.browsers),
        socks: Resource(
          .drawer(in: settings, pictures: PictureLibrary(client: HTTPClient())), clock: .terminal,
          scheduler: .terminal),
        seed: .random(in: .min ... .max))
      try await Program(settings: settings).run(work: model.work) {
        RootScreen(model: model, days: .local, measure: settings.measure)
      }
    } catch { throw fail(error) }
  }
}
