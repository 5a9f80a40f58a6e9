import ArgumentParser
import Articles
import Foundation
import TerminalUI

/// Opens the reader.
struct OpenCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "open", abstract: "Open the reader (the default).")
  @OptionGroup var options: LibraryOptions

  func run() async throws {
    let settings = options.settings
    do {
      let library = try options.library()
      try await Program(settings: settings, library: library).run()
    } catch let error as TerminalError {
      FileHandle.standardError.write(Data("argyle: \(error.text)\n".utf8))
      throw ExitCode.failure
    } catch { throw fail(error) }
  }
}
