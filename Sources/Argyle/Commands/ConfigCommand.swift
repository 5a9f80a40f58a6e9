import ArgumentParser
import Foundation

/// The `config` command: prints or checks the configuration file.
struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Print or check the configuration file.",
    discussion: """
      Without an option, argyle config prints the settings that the file results in, each with a \
      comment. Do not write this into the file itself: the shell empties it before it is read. To start a file of your own: \
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

  @OptionGroup var options: ConfigurationOptions

  func validate() throws {
    guard [printDefault, path, check].count(where: { $0 }) <= 1 else {
      throw ValidationError("Give only one of --print-default, --path and --check.")
    }
    if file != nil, options.config != nil {
      throw ValidationError("Give the file once: behind config, or behind --config.")
    }
    if printDefault, file ?? options.config != nil {
      throw ValidationError(
        "--print-default takes no file. To write one: argyle config --print-default > FILE")
    }
  }

  func run() throws {
    let file = file.map { ConfigurationFile(path: $0) } ?? options.chosenFile
    if path { return try StandardOutput.write(printable(file.path) + "\n") }
    if !check, !printDefault { try refuseOutput(to: file.path) }
    let configuration = printDefault ? Configuration() : try file.read()
    var warnings = configuration.display.ownThemes.flatMap(\.warnings)
    // The default is none that the user has chosen.
    let tab = configuration.openTab
    if tab != Configuration().openTab, !configuration.tabs.contains(tab) {
      warnings.append("display.open-tab: \(tab.rawValue) is not among display.tabs.")
    }
    warnings +=
      configuration.actionsLeftWithoutKey.map {
        "keys: \($0.name) has no key now: the file gives it to something else."
      }
    if configuration.keys[.quit] == [] {
      warnings.append("keys.quit: no key quits the program now, except Ctrl-C.")
    }
    if !warnings.isEmpty {
      StandardError.write(
        warnings.map { printable("\(file.path): warning: \($0)") + "\n" }.joined())
    }
    if !check { try StandardOutput.write(configuration.toml) }
  }

  /// Throws if standard output is the file that is printed: with `>`, the shell has emptied it.
  private func refuseOutput(to path: String) throws(CommandFailure) {
    var (output, input) = (stat(), stat())
    guard fstat(STDOUT_FILENO, &output) == 0, output.st_mode & S_IFMT == S_IFREG,
      stat(path, &input) == 0, output.st_dev == input.st_dev, output.st_ino == input.st_ino
    else { return }
    throw CommandFailure(
      status: .cannotWrite, "The output goes into the configuration file that is printed.",
      advice: "Restore the file if the shell has emptied it, and write to another one.")
  }
}
