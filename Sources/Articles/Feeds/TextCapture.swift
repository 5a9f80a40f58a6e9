import Foundation
import Limits

/// The text of one element with what is inside it, collected from an XML parser's events.
struct TextCapture {
  /// What the text of an element is.
  enum Kind {
    /// A name, a date, an address; elements inside it are mistakes, whose text is kept.
    case plain
    /// Text; with elements inside it, it is XHTML that does not say so.
    case text
    /// HTML, written as text. Elements inside it are HTML that somebody forgot to escape.
    case html
    /// Elements; the text between them is text.
    case xhtml
    /// HTML, as the digits of its bytes.
    case base64
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

  mutating func close(budget: Budget) -> CapturedText {
    isOpen = false
    budget.spend(bytes.count)
    if kind == .base64 {
      // Pictures are written like this too: what is no text is nothing to read.
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
      bytes.append(contentsOf: "=\"".utf8)
      appendEscaped(attribute.value)
      bytes.append(UInt8(ascii: "\""))
    }
    bytes.append(UInt8(ascii: ">"))
  }

  mutating func endElement(_ name: UnsafePointer<UInt8>) {
    guard keepsElements, !Self.isEmptyElement(name) else { return }
    bytes.append(contentsOf: "</".utf8)
    append(name)
    bytes.append(UInt8(ascii: ">"))
  }

  private var keepsElements: Bool { kind == .html || kind == .xhtml }

  /// Whether HTML knows no end of it: a browser takes `</br>` for a second line break.
  private static func isEmptyElement(_ name: UnsafePointer<UInt8>) -> Bool {
    var value: UInt64 = 0
    var index = 0
    while name[index] != 0 {
      guard index < 8 else { return false }
      value = value << 8 | UInt64(name[index])
      index += 1
    }
    return emptyElements.contains(value)
  }

  /// Their names as numbers, a byte a letter.
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
    for index in text.indices {
      let escaped: StaticString
      switch text[index] {
      case UInt8(ascii: "&"): escaped = "&amp;"
      case UInt8(ascii: "<"): escaped = "&lt;"
      case UInt8(ascii: "\""): escaped = "&quot;"
      default: continue
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<index]))
      escaped.withUTF8Buffer { bytes.append(contentsOf: $0) }
      start = index + 1
    }
    bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
  }
}

/// The text of an element, and whether it is HTML.
struct CapturedText {
  var text = ""
  var isHTML = false

  /// As one line of text, for a title.
  func line(budget: Budget) -> String {
    isHTML ? PlainText.line(html: text, budget: budget) : PlainText.line(text)
  }

  /// As the name of somebody: the beginning of what may be a book.
  var name: String { String(outside: text.utf8.prefix(PlainText.lineLimit)) }

  /// As HTML, for a body.
  var html: String { isHTML ? text : PlainText.html(text) }
}
