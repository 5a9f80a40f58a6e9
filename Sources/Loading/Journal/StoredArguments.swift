// All of Foundation would let every error be cast to `Equatable`, which the comparison of states must
// not do.
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// How the arguments and keys of journaled mutations are written.
enum StoredArguments {
  /// The arguments as JSON; equal arguments are equal texts.
  static func encode(_ arguments: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(arguments), as: UTF8.self)
  }

  static func decode<Arguments: Decodable>(_ text: String) throws -> Arguments {
    try JSONDecoder().decode(Arguments.self, from: Data(text.utf8))
  }

  /// A key that never repeats.
  static func makeKey() -> String { UUID().uuidString }
}
