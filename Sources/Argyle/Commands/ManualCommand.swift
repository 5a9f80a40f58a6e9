import ArgumentParser
import Foundation
import TerminalUI

/// The `manual` command: prints the manual page, for `make install`.
struct ManualCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual", abstract: "Print the manual page.")

  func run() throws {
    try StandardOutput.write(try ManualPage.text())
  }
}

/// Generates the manual page from the help of the commands.
enum ManualPage {
  /// The output of `--experimental-dump-help`.
  private struct Dump: Decodable {
    struct Command: Decodable {
      let commandName: String
      let abstract: String?
      let discussion: String?
      let subcommands: [Command]?
      let arguments: [Argument]?
      let shouldDisplay: Bool?
    }

    struct Argument: Decodable {
      struct Name: Decodable {
        let kind: String
        let name: String
      }

      let kind: String
      let shouldDisplay: Bool
      let isOptional: Bool
      let isRepeating: Bool
      let names: [Name]?
      let valueName: String?
      let defaultValue: String?
      let allValues: [String]?
      let abstract: String?
    }

    let command: Command
  }

  static func text() throws -> String {
    var json = ""
    do {
      _ = try Argyle.parseAsRoot(["--experimental-dump-help"])
    } catch {
      json = Argyle.message(for: error)
    }
    let dump = try JSONDecoder().decode(Dump.self, from: Data(json.utf8))
    var page = [
      ".TH ARGYLE 1 \"\" \"argyle \(Argyle.configuration.version)\" \"User Commands\"",
      ".SH NAME", "argyle \\- \(escaped(summary(dump.command)))", ".SH SYNOPSIS",
      ".B argyle", ".RI [ command ]", ".RI [ options ]", ".SH DESCRIPTION",
    ]
    page += paragraphs(dump.command.discussion)
    page += [".SH OPTIONS"] + options(dump.command)
    page += [".SH COMMANDS"]
    for command in dump.command.subcommands ?? [] { page += section(command, prefix: "argyle") }
    page += settings + keys + exitStatuses + files
    return page.joined(separator: "\n") + "\n"
  }

  /// Returns the description for the NAME line, as `apropos` lists it: without capital letter and
  /// full stop.
  private static func summary(_ command: Dump.Command) -> String {
    let text = command.abstract ?? ""
    return text.prefix(1).lowercased() + text.dropFirst().replacing(/\.$/, with: "")
  }

  /// The section about the configuration file: its settings with their defaults, and its tables.
  private static var settings: [String] {
    let defaults = Configuration()
    var page = [
      ".SH CONFIGURATION", ".PP",
      escaped(
        "The configuration file is written in TOML. Changes apply while the program runs. To start a "
          + "file with every setting: argyle config --print-default. To check one: argyle config "
          + "--check."),
    ]
    for section in ConfigurationSettings.sections {
      page.append(".SS \"[\(section)]\"")
      for setting in ConfigurationSettings.all where setting.section == section {
        page += [
          ".TP", ".B " + escaped("\(setting.name) = \(setting.write(defaults))"),
          escaped(setting.comment),
        ]
      }
    }
    for kind in TableKind.all {
      let (comment, example) = kind.write(defaults)
      page += [".SS \"[[\(kind.header)]]\"", ".PP", escaped(comment), ".PP", ".nf"]
      page += example.map { escaped(String($0.drop { "# ".contains($0) })) } + [".fi"]
    }
    return page
  }

  /// The section about keys, with the default ones.
  private static var keys: [String] {
    var printed: Set<KeyAction> = []
    var page = [
      ".SH KEYS", ".PP",
      escaped(
        Configuration.keysComment
          + " The names in brackets are those in the table [keys] of the configuration file."),
    ]
    for section in KeyTable.program.sections {
      page.append(".SS \"\(escaped(section.title))\"")
      for action in section.actions where printed.insert(action).inserted {
        let keys = action.keys.map(\.name).joined(separator: ", ")
        page += [
          ".TP", ".B " + escaped(keys.isEmpty ? "no key" : keys),
          escaped("\(action.label) [\(action.name)]"),
        ]
      }
    }
    return page
  }

  private static var exitStatuses: [String] {
    [".SH EXIT STATUS"]
      + ExitStatus.all.flatMap { status, meaning in
        [
          ".TP", ".B \(status)",
          escaped(meaning.prefix(1).uppercased() + meaning.dropFirst() + "."),
        ]
      }
  }

  private static var files: [String] {
    [
      ".SH FILES", ".TP", ".I $XDG_CONFIG_HOME/argyle/config.toml",
      escaped(
        "The configuration file; by default ~/.config/argyle/config.toml."
      ), ".TP", ".I $XDG_DATA_HOME/argyle/",
      escaped("Feeds, articles and socks; by default ~/.local/share/argyle/."), ".TP",
      ".I $XDG_CACHE_HOME/argyle/pictures/",
      escaped("Pictures, which can be fetched again; by default ~/.cache/argyle/pictures/."), ".TP",
      ".I $XDG_STATE_HOME/argyle/argyle.log",
      escaped("Messages of the libraries in use; by default ~/.local/state/argyle/argyle.log."),
    ]
  }

  private static func section(_ command: Dump.Command, prefix: String) -> [String] {
    guard command.shouldDisplay ?? true, command.commandName != "help" else { return [] }
    let name = "\(prefix) \(command.commandName)"
    let arguments = (command.arguments ?? []).filter { $0.shouldDisplay && $0.kind == "positional" }
    let usage = arguments.map { argument in
      let name = "<\(argument.valueName ?? "value")>" + (argument.isRepeating ? " ..." : "")
      return argument.isOptional ? "[\(name)]" : name
    }
    var page = [".SS \"\(escaped(([name] + usage).joined(separator: " ")))\""]
    page += paragraphs(command.abstract) + paragraphs(command.discussion) + options(command)
    for inner in command.subcommands ?? [] { page += section(inner, prefix: name) }
    return page
  }

  private static func options(_ command: Dump.Command) -> [String] {
    (command.arguments ?? []).filter(\.shouldDisplay).flatMap { argument -> [String] in
      let value = "<\(argument.valueName ?? "value")>"
      let names = (argument.names ?? []).map { ($0.kind == "long" ? "--" : "-") + $0.name }
      let term =
        switch argument.kind {
        case "positional": value
        case "option": names.joined(separator: ", ") + " " + value
        default: names.joined(separator: ", ")
        }
      var text = argument.abstract ?? ""
      if let values = argument.allValues { text += " One of: \(values.joined(separator: ", "))." }
      if let value = argument.defaultValue { text += " (default: \(value))" }
      return [".TP", ".B " + escaped(term), escaped(text)]
    }
  }

  private static func paragraphs(_ text: String?) -> [String] {
    (text ?? "").split(separator: "\n\n").flatMap { [".PP", escaped(String($0))] }
  }

  /// Returns the text with the characters escaped that troff would interpret.
  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("\"", with: "\\(dq")
      .split(separator: "\n").map { $0.hasPrefix(".") || $0.hasPrefix("'") ? "\\&" + $0 : $0[...] }
      .joined(separator: "\n")
  }
}
