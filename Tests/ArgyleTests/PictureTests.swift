import Foundation
import Testing

@testable import Argyle

/// Tests of the documentation's pictures.
@MainActor
@Suite struct PictureTests {
  @Test func `the pictures of the documentation are what the program draws`() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("assets/screenshots")
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    let names = files.map { $0.deletingPathExtension().lastPathComponent }
    for wanted in ["first-run", "article", "articles-reloading", "articles-failed", "gallery"] {
      #expect(names.contains(wanted), "\(wanted) is not among the pictures")
    }
    let movie = folder.deletingLastPathComponent().appendingPathComponent("tour.svg")
    #expect(
      try String(contentsOf: movie, encoding: .utf8)
        == ScreenshotCommand.parse(["tour", "--format", "movie"]).picture(),
      "tour.svg is not current; look at the change and type: make screenshots")
    for (file, name) in zip(files, names) {
      let picture = try ScreenshotCommand.parse([name, "--format", "svg"]).picture()
      #expect(
        try String(contentsOf: file, encoding: .utf8) == picture,
        "\(file.lastPathComponent) is not current; look at the change and type: make screenshots")
    }
  }
}
