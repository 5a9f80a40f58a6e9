import ArgumentParser
import Foundation

/// The `config` command: prints or checks the configuration file.
struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Print or check the configuration file.",
    discussion: """
      Without an option, argyle config prints the settings that the file results in, each with a \
      comment. To start a file of your own: \
      argyle config --print-default > ~/.config/argyle/config.toml. Changes apply while the program \
      runs.
      """)

  @Flag(help: "Print a file with every setting at its default.")
  var printDefault = false

  @Flag(help: "Print the path of the file.")
  var path = false

  @Flag(help: "Check the file. Prints nothing where there is no mistake, and nothing to warn of.")
  var check = false

  @Argument(help: "The file (default: the one in use).", completion: .file())
  var file: String?

  @OptionGroup var options: LibraryOptions

  func validate() throws {
    guard [printDefault, path, check].count(where: { $0 }) <= 1 else {
      throw ValidationError("Give only one of --print-default, --path and --check.")
    }
  }

  func run() throws {
    let file = file.map { ConfigurationFile(path: $0) } ?? options.configurationFile
    if path { return try StandardOutput.write(printable(file.path) + "\n") }
    let configuration = printDefault ? Configuration() : try file.read()
    let warnings =
      configuration.display.ownThemes.flatMap(\.warnings)
      + configuration.actionsLeftWithoutKey.map {
        "keys: \($0.name) has no key now: the file gives it to something else."
      }
    if !warnings.isEmpty {
      StandardError.write(
        warnings.map { printable("\(file.path): warning: \($0)") + "\n" }.joined())
    }
    if !check { try StandardOutput.write(configuration.toml) }
  }
}
