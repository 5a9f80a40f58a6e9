import ArgumentParser
import Articles
import Foundation
import TerminalUI
import Testing

@testable import Argyle

/// Compares the README, the changelog, the handbook and the manual page with the program.
@Suite struct DocumentationTests {
  private let readme: String
  private let handbook: String

  init() throws {
    readme = try Self.text("README.md")
    handbook = try Self.text("assets/handbook.atom")
  }

  private static func text(_ name: String) throws -> String {
    let root = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
      url.deletingLastPathComponent()
    }
    return try String(contentsOf: root.appendingPathComponent(name), encoding: .utf8)
  }

  // MARK: Keys

  @Test func `the handbook lists every key, as the footer shows it`() throws {
    let feed = try BundledFeed(Assets.handbook)
    let article = try #require(feed.articles.first { $0.title == "How to use Argyle" })
    let content = try #require(feed.articleDocument(of: article.id))
    let lines = DocumentText(width: nil).text(content).split(separator: "\n")
    for action in KeyTable.program.actions {
      let keys =
        action.keys.isEmpty ? "no key" : action.keys.map { "\($0)" }.joined(separator: " ")
      #expect(
        lines.contains { $0.hasPrefix("\(keys) ") && $0.hasSuffix("  \(action.label)") },
        "\(keys): \(action.label)")
    }
  }

  @Test func `the manual page lists every key, with the name of its action`() throws {
    let page = try ManualPage.text().replacing("\\-", with: "-").replacing("\\e", with: "\\")
    for action in KeyTable.program.actions {
      let keys =
        action.keys.isEmpty ? "no key" : action.keys.map(\.name).joined(separator: ", ")
      #expect(
        page.contains(".TP\n.B \(keys)\n\(action.label) [\(action.name)]\n"), "\(action.name)")
    }
  }

  @Test func `the README names no key that there is not`() throws {
    let known = Set(
      KeyTable.program.actions.flatMap(\.keys).map { "\($0)" }
        + ["Enter", "Tab", "Shift-Tab", "Ctrl-L"])
    var count = 0
    let tables = readme.components(separatedBy: "\n| key |").dropFirst()
    let rows = tables.flatMap {
      $0.split(separator: "\n").prefix { $0.first == "|" || $0.first == " " }
    }
    for line in rows where line.hasPrefix("| `") {
      let cell = line.split(separator: "|")[0]
      for (index, key) in cell.split(separator: "`").enumerated() where !index.isMultiple(of: 2) {
        count += 1
        #expect(known.contains(String(key)), "\(line)")
      }
    }
    #expect(count > 20)
  }

  // MARK: Commands

  @Test func `every command in the README and the handbook is one that the program takes`() {
    let commands = Self.commands(in: readme) + Self.commands(in: Self.shellText(handbook))
    #expect(commands.count > 30)
    for command in commands {
      #expect(throws: Never.self, "argyle \(command.joined(separator: " "))") {
        _ = try Argyle.parseAsRoot(command)
      }
    }
  }

  @Test func `every command that the README lists under Feeds takes --json`() throws {
    let start = try #require(readme.range(of: "\n## Feeds\n")).upperBound
    let section = readme[start...].components(separatedBy: "\n## ")[0]
    // JSON has every field, so that lines of one's own are refused with it.
    let commands = Self.commands(in: section).filter { !$0.contains("--row") }
    #expect(commands.count > 8)
    for command in commands {
      #expect(throws: Never.self, "argyle \(command.joined(separator: " ")) --json") {
        _ = try Argyle.parseAsRoot(command + ["--json"])
      }
    }
  }

  // MARK: Configuration

  @Test func `every configuration example is one that the program takes`() throws {
    let handbookExamples = handbook.matches(
      of: /<code class="language-toml">(?<text>[^<]*)<\/code>/
    ).map { String($0.text) }
    let examples =
      readme.matches(of: /```toml\n(?<text>[^`]*)```/).map { String($0.text) } + handbookExamples
    #expect(examples.count == 10)
    for example in examples {
      #expect(throws: Never.self, "\(example)") { _ = try Configuration(toml: example) }
    }
  }

  /// Other tests find commands, configuration and Swift by it.
  @Test func `every example of the README names its language`() {
    let fences = readme.split(separator: "\n").filter { $0.hasPrefix("```") }
    for (index, fence) in fences.enumerated() {
      let isKnown = ["```sh", "```toml", "```swift"].contains(fence)
      #expect(index.isMultiple(of: 2) ? isKnown : fence == "```", "\(fence)")
    }
  }

  // MARK: Other checks

  @Test func `the manual page lists the exit statuses`() throws {
    let page = try ManualPage.text()
    let section = try #require(page.range(of: ".SH EXIT STATUS\n"))
    let statuses = page[section.upperBound...].components(separatedBy: ".SH ")[0]
    for status in [0, 64] + ExitStatus.allCases.map(\.rawValue) {
      #expect(statuses.contains(".TP\n.B \(status)\n"), "\(status)")
    }
  }

  @Test func `the manual page says in a line what the program does, and names every choice`() throws
  {
    let page = try ManualPage.text().replacing("\\-", with: "-")
    #expect(
      page.contains(".SH NAME\nargyle - read feeds in a terminal, and keep a drawer of socks\n"))
    for choices in ["text, markdown, html", "text, ansi, svg, png", "auto, terminal, dark, light,"]
    {
      #expect(page.contains("One of: \(choices)"), "\(choices)")
    }
  }

  @Test func `the help, the README and the changelog name the same version`() throws {
    let version = Argyle.configuration.version
    #expect(readme.contains("from: \"\(version)\", traits: [])"))
    let changelog = try Self.text("CHANGELOG.md")
    #expect(changelog.hasPrefix("# Changelog\n\n## \(version)\n"))
  }

  @Test func `the configuration file that is printed names every setting and every action`() {
    let file = Configuration().toml
    for setting in ConfigurationSettings.all { #expect(file.contains("\n\(setting.name) = ")) }
    for action in KeyTable.program.actions { #expect(file.contains("\n\(action.name) = [")) }
  }

  // MARK: Reading

  /// Returns the arguments of every line that is a command of the program, without redirections.
  private static func commands(in text: String) -> [[String]] {
    text.split(separator: "\n").filter { $0.hasPrefix("argyle ") || $0 == "argyle" }.map { line in
      var words: [String] = []
      var word: String?
      var quote: Character?
      for character in line.dropFirst("argyle".count) {
        if let open = quote {
          if character == open { quote = nil } else { word = (word ?? "") + String(character) }
        } else if character == "'" || character == "\"" {
          quote = character
          word = word ?? ""
        } else if "#|>".contains(character), word == nil {
          break
        } else if character == " " {
          if let word { words.append(word) }
          word = nil
        } else {
          word = (word ?? "") + String(character)
        }
      }
      if let word { words.append(word) }
      return words
    }
  }

  /// Returns the handbook with each line of its shell examples at the beginning of a line.
  private static func shellText(_ html: String) -> String {
    html.replacing("<pre><code class=\"language-sh\">", with: "\n").replacing("&gt;", with: ">")
  }
}
