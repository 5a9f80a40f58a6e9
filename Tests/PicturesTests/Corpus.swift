import Foundation

@testable import Pictures

/// The pictures of `Corpus/`, made by its `generate.py`.
enum Corpus {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Corpus").path

  static func path(_ name: String) -> String { folder + "/" + name }

  static func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path(name))))
  }

  /// Every picture but the two that are too large.
  static func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { !$0.hasSuffix(".py") && $0 != "huge.png" && $0 != "long.png" }.sorted()
  }

  static func request(_ name: String, enlarges: Bool = true) -> PictureRequest {
    PictureRequest(
      .file(path(name)), room: .init(width: 4, height: 2), label: name, enlarges: enlarges)
  }
}
