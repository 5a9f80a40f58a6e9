import Foundation
import Testing

/// Holds that no source needs ICU's tables, which the release is linked without.
///
/// Code that needs them would work in every other test, because tests are linked with them.
struct ICUTests {
  private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")

  /// The names of what Foundation does with ICU's tables.
  ///
  /// Its ISO 8601 style, its folding of letters and its JSON need none.
  private static let names = [
    "Calendar(", "Calendar.", "TimeZone", "Locale(identifier", "Locale.current", "DateFormatter",
    "NumberFormatter", "localizedCompare", "localizedStandard", "localizedCase",
    "NSRegularExpression", "applyingTransform", ".FormatStyle(", "DateComponents",
    "enumerateSubstrings", "ByteCountFormat",
  ]

  @Test func `no source needs the tables that the release does not have`() throws {
    let files = try #require(
      FileManager.default.enumerator(at: Self.sources, includingPropertiesForKeys: nil))
    var found: [String] = []
    var count = 0
    for case let file as URL in files where file.pathExtension == "swift" {
      count += 1
      let text = try String(contentsOf: file, encoding: .utf8)
      for line in text.split(separator: "\n") {
        if line.drop(while: \.isWhitespace).hasPrefix("//") { continue }
        if Self.names.contains(where: line.contains) { found.append("\(file.path): \(line)") }
      }
    }
    #expect(count > 100)
    #expect(found == [])
  }
}
