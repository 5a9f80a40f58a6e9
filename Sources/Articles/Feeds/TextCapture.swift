/// The text of one element with what is inside it, collected from an XML parser's events.
struct TextCapture {
  /// What the text of an element is.
  enum Kind {
    /// Text; elements inside it are mistakes, whose text is kept.
    case text
    /// HTML, written as text. Elements inside it are HTML that somebody forgot to escape.
    case html
    /// Elements; the text between them is text.
    case xhtml
  }

  private(set) var isOpen = false
  /// How deep the element lies whose text this is.
  private(set) var depth = 0
  private var kind = Kind.text
  private var bytes: [UInt8] = []

  mutating func open(_ kind: Kind, depth: Int) {
    self.kind = kind
    self.depth = depth
    isOpen = true
    bytes.removeAll(keepingCapacity: true)
  }

  mutating func close() -> CapturedText {
    isOpen = false
    return CapturedText(
      text: String(decoding: bytes.trimmedWhiteSpace(), as: UTF8.self), isHTML: kind != .text)
  }

  mutating func characters(_ text: UnsafeBufferPointer<UInt8>) {
    if kind == .xhtml {
      appendEscaped(text)
    } else {
      bytes.append(contentsOf: text)
    }
  }

  mutating func startElement(_ name: UnsafePointer<UInt8>, attributes: XMLAttributes) {
    guard kind != .text else { return }
    bytes.append(UInt8(ascii: "<"))
    append(name)
    for index in 0..<attributes.count {
      guard let attribute = attributes[index] else { continue }
      bytes.append(UInt8(ascii: " "))
      append(attribute.name)
      bytes.append(contentsOf: "=\"".utf8)
      appendEscaped(attribute.value)
      bytes.append(UInt8(ascii: "\""))
    }
    bytes.append(UInt8(ascii: ">"))
  }

  mutating func endElement(_ name: UnsafePointer<UInt8>) {
    guard kind != .text, !Self.emptyElements.contains(String(cString: name)) else { return }
    bytes.append(contentsOf: "</".utf8)
    append(name)
    bytes.append(UInt8(ascii: ">"))
  }

  /// Those that HTML knows no end of: a browser takes `</br>` for a second line break.
  private static let emptyElements: Set<String> = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track",
    "wbr",
  ]

  private mutating func append(_ name: UnsafePointer<UInt8>) {
    var index = 0
    while name[index] != 0 {
      bytes.append(name[index])
      index += 1
    }
  }

  private mutating func appendEscaped(_ text: UnsafeBufferPointer<UInt8>) {
    for byte in text {
      switch byte {
      case UInt8(ascii: "&"): bytes.append(contentsOf: "&amp;".utf8)
      case UInt8(ascii: "<"): bytes.append(contentsOf: "&lt;".utf8)
      case UInt8(ascii: "\""): bytes.append(contentsOf: "&quot;".utf8)
      default: bytes.append(byte)
      }
    }
  }
}

/// The text of an element, and whether it is HTML.
struct CapturedText {
  var text = ""
  var isHTML = false

  /// As one line of text, for a title.
  var line: String { isHTML ? PlainText.line(html: text) : PlainText.line(text) }

  /// As HTML, for a body.
  var html: String { isHTML ? text : PlainText.html(text) }
}
