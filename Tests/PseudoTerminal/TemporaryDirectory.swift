import Foundation

/// A directory of its own for one test, gone with the test.
public final class TemporaryDirectory: Sendable {
  /// Where it is.
  public let path: String

  /// Makes it.
  public init() throws {
    path = NSTemporaryDirectory() + "argyle-test-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  /// Writes a file in it, and returns the path of that.
  public func write(_ text: String, to name: String) throws -> String {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/" + name))
    return path + "/" + name
  }

  /// What is in one of its files.
  public func bytes(of name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path + "/" + name))
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }
}
