import Foundation
import PseudoTerminal
import Testing

@testable import Argyle

/// Tests of changes that the program makes to the configuration file.
@Suite struct ConfigurationEditTests {
  private let swift = SavedSearch(name: "Swift", text: "swift concurrency")
  private let other = SavedSearch(name: "Other", text: "\"other words\"")

  @Test func `a search goes to the end of the file, and all else stays as it is written`() throws {
    let text = "# mine\n[display]\ntheme = \"dark\"   # at night"
    let edited = try ConfigurationEdit.add(other).applied(to: text)
    #expect(
      edited == """
        # mine
        [display]
        theme = "dark"   # at night

        [[search]]
        name = "Other"
        text = "\\"other words\\""

        """)
    #expect(
      try ConfigurationEdit.add(swift).applied(to: "")
        == "[[search]]\nname = \"Swift\"\ntext = \"swift concurrency\"\n")
  }

  @Test func `a search that is removed takes its lines along, not the comment of what follows`()
    throws
  {
    let text = """
      [[search]]
      name = "Swift"   # mine
      # all of it
      text = "swift concurrency"

      # Colours.
      [display]
      theme = "dark"

      """
    #expect(
      try ConfigurationEdit.remove(swift).applied(to: text)
        == "\n# Colours.\n[display]\ntheme = \"dark\"\n")
    #expect(try ConfigurationEdit.remove(other).applied(to: text) == text)
  }

  @Test func `a removed search goes back to its place`() throws {
    let text = """
      # mine

      [[search]]
      name = "Swift"
      text = "swift concurrency"

      # The other one.
      [[search]]
      name = "Other"
      text = "\\"other words\\""

      [display]
      theme = "dark"

      """
    let removed = try #require(try ConfigurationEdit.remove(swift).applied(to: text))
    #expect(try ConfigurationEdit.add(swift, at: 0).applied(to: removed) == text)
    #expect(try ConfigurationEdit.add(swift, at: 0).applied(to: text) == text)
    // After the last one, as a new search.
    for index in [1, 9] {
      #expect(
        try ConfigurationEdit.add(swift, at: index).applied(to: removed)
          == ConfigurationEdit.add(swift).applied(to: removed))
    }
    let inline = "search = [{ name = \"x\", text = \"x\" }]\n"
    #expect(try ConfigurationEdit.add(swift, at: 0).applied(to: inline) == nil)
  }

  @Test func `a search that is renamed keeps its place and its comments`() throws {
    let text = """
      [[search]]
      name = "Other"
      text = "\\"other words\\""

      [[search]]
      # all of it
      text = "swift concurrency"
      name = "Swift"   # mine

      """
    #expect(
      try ConfigurationEdit.rename(swift, to: "My \"Swift\"").applied(to: text)
        == text.replacingOccurrences(
          of: "name = \"Swift\"", with: "name = \"My \\\"Swift\\\"\""))
    #expect(try ConfigurationEdit.rename(swift, to: "Other").applied(to: text) == nil)
    let literal = "[[search]]\nname = 'Swift'\ntext = 'swift concurrency'\n"
    #expect(try ConfigurationEdit.rename(swift, to: "New").applied(to: literal) == nil)
  }

  @Test func `to add and to remove leaves every file as it was`() throws {
    var generator = SeededGenerator(seed: 7)
    let pieces = [
      "[display]\ntheme = \"dark\"\n", "\n", "# a comment\n", "[keys]\nquit = [\"Z\"]\r\n",
      "[[search]]\nname = \"Other\"\ntext = '''\n[[search]]\nname = \"x\"\n'''\n",
      "[reader]\nsave-folder = \"\"\"\n[x]\"\"\"\n",
    ]
    for round in 0..<200 {
      let text = pieces.shuffled(using: &generator).prefix(round % 7).joined()
      guard (try? Configuration(toml: text)) != nil else { continue }
      guard let added = try ConfigurationEdit.add(swift).applied(to: text) else {
        Issue.record("not added to \(text.debugDescription)")
        continue
      }
      #expect(try ConfigurationEdit.remove(swift).applied(to: added) == text)
    }
  }

  @Test func `what a program cannot change without harm it leaves alone`() throws {
    let one = "{ name = \"Swift\", text = \"swift concurrency\" }"
    let inline = "search = [\(one), { name = \"x\", text = \"x\" }]\n"
    #expect(try ConfigurationEdit.add(other).applied(to: inline) == nil)
    #expect(try ConfigurationEdit.remove(swift).applied(to: inline) == nil)
    #expect(throws: ConfigurationProblems.self) {
      try ConfigurationEdit.add(other).applied(to: "[display]\ntheme = \"pink\"\n")
    }
    // The file has another search of that name.
    let text = "[[search]]\nname = \"Other\"\ntext = \"x\"\n"
    #expect(try ConfigurationEdit.add(other).applied(to: text) == nil)
  }

  @Test func `the file is made with its folder, keeps its permissions, and a link stays one`()
    throws
  {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.path + "/argyle/config.toml"
    let file = ConfigurationFile(path: path, mayBeMissing: true)
    try file.change(.add(swift))
    #expect(try file.read().searches == [swift])
    #expect(chmod(path, 0o600) == 0)
    try file.change(.add(other))
    var status = stat()
    #expect(stat(path, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)

    let link = folder.path + "/link.toml"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    try ConfigurationFile(path: link).change(.remove(swift))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == path)
    #expect(try file.read().searches == [other])
  }
}
