import Foundation
import Testing

/// The examples of the documentation are those that were compiled.
@Suite struct DocumentationTests {
  private static let here = URL(filePath: #filePath).deletingLastPathComponent()
  private static let sources = here.appending(path: "../../../Sources/TerminalUI")
    .standardizedFileURL

  /// The Swift examples of a file, in its documentation comments or its Markdown.
  private func examples(in file: URL) throws -> [[String]] {
    var examples: [[String]] = []
    var example: [String]?
    for line in try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n") {
      var text = line.trimmingCharacters(in: .whitespaces)
      if file.pathExtension == "swift" {
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

  @Test func `every example of the documentation is one that compiles`() throws {
    let compiled = try String(
      contentsOf: Self.here.appending(path: "DocumentedExamples.swift"), encoding: .utf8
    )
    .components(separatedBy: "\n").map { line in
      line.trimmingCharacters(in: .whitespaces).without("private ")
    }
    let files = FileManager.default.enumerator(at: Self.sources, includingPropertiesForKeys: nil)?
      .compactMap { $0 as? URL }.filter { ["swift", "md"].contains($0.pathExtension) }
    var count = 0
    for file in files ?? [] {
      for example in try examples(in: file) {
        count += 1
        // A test bundle has a main of its own.
        let lines = example.map { $0.without("@main ") }
        let isCompiled = compiled.indices.contains { start in
          compiled[start...].starts(with: lines)
        }
        #expect(isCompiled, "\(file.lastPathComponent):\n\(example.joined(separator: "\n"))")
      }
    }
    #expect(count > 20)
  }
}

extension String {
  fileprivate func without(_ prefix: String) -> String {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : self
  }
}
