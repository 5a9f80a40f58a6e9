import TerminalUI

/// The label of a field in a form, beside the field.
///
/// In plain mode it ends with a colon, since a field has no line below it that tells it from its label.
struct FieldLabel: View {
  let text: Text
  /// The room for the labels of a form, so that its fields stand below each other.
  let width: Int
  @Environment(\.isPlain) private var isPlain

  init(_ text: Text, width: Int) {
    (self.text, self.width) = (text, width)
  }

  init(_ title: String, width: Int) {
    self.init(Text(title).foregroundStyle(\.secondary), width: width)
  }

  var body: some View {
    (isPlain ? text + Text(":") : text).lineLimit(1)
      .frame(width: isPlain ? nil : width, alignment: .leading)
  }
}

extension View {
  /// A note of one or two lines.
  func words(_ text: String) -> some View {
    Text(text).foregroundStyle(\.secondary).lineLimit(2)
  }
}
