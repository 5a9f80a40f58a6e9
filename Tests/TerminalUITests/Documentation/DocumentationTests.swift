import Foundation
import Testing

/// Tests that the examples in the documentation compile.
///
/// Each example is repeated word for word in a file `…Examples.swift` in the folder `Documentation`
/// of the tests, within the code that it needs to compile.
@Suite struct DocumentationTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../..").standardizedFileURL

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
  }

  /// Returns the files with documentation in a folder and its subfolders.
  private func files(in folder: String) -> [String] {
    let files = FileManager.default.enumerator(atPath: Self.root.appending(path: folder).path)
    return (files?.compactMap { $0 as? String } ?? []).map { "\(folder)/\($0)" }
      .filter { $0.hasSuffix(".swift") || $0.hasSuffix(".md") }.sorted()
  }

  /// Returns the Swift examples in a file's documentation comments or Markdown.
  private func examples(in file: String) throws -> [[String]] {
    var examples: [[String]] = []
    var example: [String]?
    for line in try text(file).components(separatedBy: "\n") {
      var text = line.trimmingCharacters(in: .whitespaces)
      if file.hasSuffix(".swift") {
        guard text.hasPrefix("///") else { continue }
        text = text.dropFirst(3).trimmingCharacters(in: .whitespaces)
      }
      switch text {
      case "```swift": example = []
      case "```":
        if let example { examples.append(example) }
        example = nil
      default: example?.append(text)
      }
    }
    return examples
  }

  private static let documented = [
    "Sources/Loading", "Sources/LoadingTesting", "Sources/TerminalUI", "Sources/TerminalUITesting",
  ]

  private func documentedFiles() -> [String] {
    Self.documented.flatMap { files(in: $0) } + ["README.md"]
  }

  /// Normalizes lines for the comparison: an example needs no access control, and its imports are
  /// at the top of the file.
  private func comparable(_ lines: [String]) -> [String] {
    lines.map {
      $0.trimmingCharacters(in: .whitespaces).replacingOccurrences(of: "private ", with: "")
        // A test bundle has a main of its own.
        .replacingOccurrences(of: "@main ", with: "")
    }
  }

  @Test(arguments: [
    ("Tests/LoadingTests", ["Sources/Loading", "Sources/LoadingTesting"]),
    ("Tests/TerminalUITests", ["Sources/TerminalUI", "README.md"]),
  ])
  func `every example of the documentation is one that compiles`(
    tests: String, documented: [String]
  ) throws {
    let compiled = try files(in: "\(tests)/Documentation").filter { $0.hasSuffix("Examples.swift") }
      .flatMap { comparable(try text($0).components(separatedBy: "\n")) }
    var count = 0
    for file in documentedFiles() where documented.contains(where: { file.hasPrefix($0) }) {
      for example in try examples(in: file) where !isManifest(example) {
        count += 1
        let lines = Array(
          comparable(example).drop { $0.isEmpty || $0.hasPrefix("import ") })
        let isCompiled = compiled.indices.contains { compiled[$0...].starts(with: lines) }
        #expect(isCompiled, "\(file):\n\(example.joined(separator: "\n"))")
      }
    }
    #expect(count > 20)
  }

  @Test func `every Swift example of the handbook is one that compiles`() throws {
    // The formatter may have broken the lines differently.
    func words(_ text: String) -> String {
      text.replacing(/\b(private|return)\s/, with: "").split(whereSeparator: \.isWhitespace)
        .joined(separator: " ")
    }
    let compiled = words(try text("Tests/TerminalUITests/Documentation/HandbookExamples.swift"))
    let examples = try text("assets/handbook.atom").matches(
      of: /<code class="language-swift">(?<text>[^<]*)<\/code>/)
    #expect(examples.count == 15)
    for example in examples {
      let example = String(example.text).replacing("&lt;", with: "<").replacing("&gt;", with: ">")
        .replacing("&amp;", with: "&")
      #expect(compiled.contains(words(example)), "\(example)")
    }
  }

  /// Whether an example is a part of a package manifest.
  private func isManifest(_ example: [String]) -> Bool {
    example.contains { $0.hasPrefix(".package(") }
  }

  @Test func `every manifest of the documentation names products and a version that there are`()
    throws
  {
    let manifest = try text("Package.swift")
    let changelog = try text("CHANGELOG.md")
    var count = 0
    for file in documentedFiles() {
      for example in try examples(in: file) where isManifest(example) {
        count += 1
        let text = example.joined(separator: "\n")
        for product in text.matches(of: /\.product\(name: "(\w+)", package: "argyle"\)/) {
          #expect(manifest.contains(".library(name: \"\(product.1)\""), "\(file): \(product.1)")
        }
        let version = try #require(text.firstMatch(of: /from: "([0-9.]+)"/)?.1, "\(file)")
        #expect(changelog.contains("\n## \(version)\n"), "\(file): \(version)")
      }
    }
    #expect(count == 3)
  }
}
