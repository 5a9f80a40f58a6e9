@testable import Argyle

/// Returns the mistakes in a configuration file of these lines, which is called `f`.
func problems(_ lines: String...) -> [String] {
  do {
    _ = try Configuration(toml: lines.joined(separator: "\n"))
    return []
  } catch {
    return error.all.map { $0.text(file: "f") }
  }
}
