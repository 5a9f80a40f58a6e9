/// A place that takes text, while a frame is built.
@MainActor
struct TextInput {
  let path: ViewPath
  let layer: Int
  let insert: @MainActor (String) -> Void
}

extension FrameBuilder {
  /// The text field that has the focus of a layer.
  func focusedTextInput(layer: Int) -> TextInput? {
    textInputs.first { $0.layer == layer && $0.path == focus[layer] }
  }
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
