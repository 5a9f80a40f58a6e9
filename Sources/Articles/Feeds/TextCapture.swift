import Foundation
import Limits

/// Collects the text of one element and its children from an XML parser's events.
struct TextCapture {
  /// How the text of an element is interpreted.
  enum Kind {
    /// A name, a date or an address; child elements are mistakes, whose text is kept.
    case plain
    /// Plain text; with child elements it is XHTML without being declared as such.
    case text
    /// Escaped HTML.
    ///
    /// Child elements are HTML that was not escaped.
    case html
    /// XHTML: child elements are markup.
    case xhtml
    /// HTML, encoded in base64.
    case base64
  }

  private(set) var isOpen = false
  /// The depth of the element whose text is collected.
  private(set) var depth = 0
  private var kind = Kind.text
  private var bytes: [UInt8] = []

  mutating func open(_ kind: Kind, depth: Int) {
    self.kind = kind
    self.depth = depth
    isOpen = true
    bytes.removeAll(keepingCapacity: true)
  }

  mutating func close(budget: Budget) -> CapturedText {
    isOpen = false
    budget.spend(bytes.count)
    if kind == .base64 {
      // Pictures are also encoded like this: bytes that are not UTF-8 are ignored.
      let decoded = Data(base64Encoded: Data(bytes), options: .ignoreUnknownCharacters)
      return CapturedText(
        text: decoded.flatMap { String(validating: $0, as: UTF8.self) }
          .map { String(outside: $0.utf8) } ?? "", isHTML: true)
    }
    return CapturedText(
      text: String(outside: bytes.trimmedWhiteSpace()),
      isHTML: kind == .html || kind == .xhtml)
  }

  mutating func characters(_ text: UnsafeBufferPointer<UInt8>) {
    if kind == .xhtml {
      appendEscaped(text)
    } else {
      bytes.append(contentsOf: text)
    }
  }

  mutating func startElement(_ name: UnsafePointer<UInt8>, attributes: XMLAttributes) {
    if kind == .text {
      let text = bytes
      bytes.removeAll(keepingCapacity: true)
      text.withUnsafeBufferPointer { appendEscaped($0) }
      kind = .xhtml
    }
    guard keepsElements else { return }
    bytes.append(UInt8(ascii: "<"))
    append(name)
    for index in 0..<attributes.count {
      guard let attribute = attributes[index] else { continue }
      bytes.append(UInt8(ascii: " "))
      append(attribute.name)
      bytes.append(UInt8(ascii: "="))
      bytes.append(UInt8(ascii: "\""))
      appendEscaped(attribute.value)
      bytes.append(UInt8(ascii: "\""))
    }
    bytes.append(UInt8(ascii: ">"))
  }

  mutating func endElement(_ name: UnsafePointer<UInt8>) {
    guard keepsElements else { return }
    var packed: UInt64 = 0
    var length = 0
    while name[length] != 0 {
      packed = packed << 8 | UInt64(name[length])
      length += 1
    }
    if length <= 8, Self.emptyElements.contains(packed) { return }
    bytes.append(UInt8(ascii: "<"))
    bytes.append(UInt8(ascii: "/"))
    bytes.append(contentsOf: UnsafeBufferPointer(start: name, count: length))
    bytes.append(UInt8(ascii: ">"))
  }

  private var keepsElements: Bool { kind == .html || kind == .xhtml }

  /// The elements without an end tag in HTML: a browser reads `</br>` as a second line break.
  ///
  /// The names are numbers, one byte per letter.
  private static let emptyElements: [UInt64] = [
    "br", "img", "hr", "area", "base", "col", "embed", "input", "link", "meta", "source", "track",
    "wbr",
  ].map { $0.utf8.reduce(0) { $0 << 8 | UInt64($1) } }

  private mutating func append(_ name: UnsafePointer<UInt8>) {
    var length = 0
    while name[length] != 0 { length += 1 }
    bytes.append(contentsOf: UnsafeBufferPointer(start: name, count: length))
  }

  private mutating func appendEscaped(_ text: UnsafeBufferPointer<UInt8>) {
    var start = 0
    while true {
      let index = text.firstIndex(
        of: UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: "\""), from: start)
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<index]))
      guard index < text.count else { return }
      let escaped: StaticString =
        switch text[index] {
        case UInt8(ascii: "&"): "&amp;"
        case UInt8(ascii: "<"): "&lt;"
        default: "&quot;"
        }
      escaped.withUTF8Buffer { bytes.append(contentsOf: $0) }
      start = index + 1
    }
  }
}

/// The text of an element, and whether it is HTML.
struct CapturedText {
  var text = ""
  var isHTML = false

  /// Returns one line of plain text, for a title.
  func line(budget: Budget) -> String {
    isHTML ? PlainText.line(html: text, budget: budget) : PlainText.line(text)
  }

  /// The beginning of the text, as a person's name; it may be as long as a book.
  var name: String { String(outside: text.utf8.prefix(PlainText.lineLimit)) }

  /// Returns the text as HTML, for a body.
  ///
  /// - Parameter keepsLines: whether the lines of a plain text are kept.
  func html(keepsLines: Bool) -> String {
    isHTML ? text : PlainText.html(text, keepsLines: keepsLines)
  }
}
