// With all of Foundation, every error could be cast to `Equatable`, by which states compare errors.
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// How the arguments, keys and failures of journaled mutations are stored.
enum StoredArguments {
  /// Returns the arguments as JSON; equal arguments have equal texts.
  static func encode(_ arguments: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(arguments), as: UTF8.self)
  }

  static func decode<Arguments: Decodable>(_ text: String) throws -> Arguments {
    try JSONDecoder().decode(Arguments.self, from: Data(text.utf8))
  }

  /// Returns what a failure says after the error itself is gone.
  static func words(of error: any Error) -> String {
    (error as? any LocalizedError)?.errorDescription ?? "\(error)"
  }

  /// Returns a key that never repeats.
  static func makeKey() -> String { UUID().uuidString }
}
