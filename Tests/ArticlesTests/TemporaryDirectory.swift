import Foundation

/// A directory of its own for one test, gone with the test.
final class TemporaryDirectory {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "articles-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  func write(_ text: String, to name: String) throws -> String {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/" + name))
    return path + "/" + name
  }

  func bytes(of name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path + "/" + name))
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }
}
