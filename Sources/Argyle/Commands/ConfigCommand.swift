import ArgumentParser
import Foundation

/// The configuration file, for those who write it.
struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Show or check the configuration file.",
    discussion: """
      Without an option it prints what is in force by the file, each setting with a comment. To begin \
      a file of your own: argyle config --print-default > ~/.config/argyle/config.toml. Changes \
      apply while the program runs. \(ExitStatus.discussion)
      """)

  @Flag(help: "Print the file that has every setting at its default.")
  var printDefault = false

  @Flag(help: "Print where the file is looked for.")
  var path = false

  @Flag(help: "Check the file and print nothing when it can be used.")
  var check = false

  @Argument(help: "The file (default: the one that is in use).")
  var file: String?

  @OptionGroup var options: LibraryOptions

  func validate() throws {
    guard [printDefault, path, check].count(where: { $0 }) <= 1 else {
      throw ValidationError("Only one of --print-default, --path and --check can be answered.")
    }
  }

  func run() throws {
    let file = file.map { ConfigurationFile(path: $0) } ?? options.configurationFile
    do {
      if path { return try StandardOutput.write(printable(file.path) + "\n") }
      let configuration = printDefault ? Configuration() : try file.read()
      if !check { try StandardOutput.write(configuration.toml) }
    } catch { throw fail(error) }
  }
}
