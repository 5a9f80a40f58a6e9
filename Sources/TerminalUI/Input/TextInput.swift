/// A place that takes text, while a frame is built.
@MainActor
struct TextInput {
  let path: ViewPath
  let layer: Int
  let insert: @MainActor (String) -> Void
}

extension KeyPress {
  /// The character that it types, if it types one.
  var printable: Character? {
    guard case .character(let character) = key, modifiers.isDisjoint(with: [.control, .alt]) else {
      return nil
    }
    return character
  }
}
