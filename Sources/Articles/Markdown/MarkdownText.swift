import CCmark
import Limits
import Synchronization

/// Converts a Markdown text to HTML, and finds the title in its first heading.
///
/// If cmark would take too much memory or time, the text is shown as it is written, after a note.
/// The limits are ``columnLimit`` for tables, ``memory(forBytes:)`` and
/// ``milliseconds(forBytes:)``.
struct MarkdownText {
  /// The first heading, without markup; nil if there is none.
  private(set) var heading: String?
  /// The HTML, without that heading if it begins the text and serves as its title.
  private(set) var html = ""
  /// Whether the text could not be parsed as Markdown.
  private(set) var isPlain = false

  /// Converts a text with GitHub's tables, strikethrough, task lists, footnotes and bare addresses.
  ///
  /// - Parameters:
  ///   - isTitled: whether the text already has a title.
  ///   - budget: the steps that may be taken; when they are used up, the text is not parsed.
  init(_ text: [UInt8], isTitled: Bool = false, budget: Budget? = nil) {
    let budget = budget ?? Budget(bytes: text.count)
    guard budget.spend(text.count) else { return }
    Self.turn.withLock { _ in read(text, isTitled: isTitled, budget: budget) }
  }

  /// The most columns of a table: cmark pads every short row to all of them.
  static let columnLimit = 64

  /// How much memory cmark may take at a time, in bytes; long texts of nothing but markup need most
  /// of it.
  static func memory(forBytes count: Int) -> Int { (16 << 20) + 10 * count }

  /// How much processor time cmark may take; it parses more than 10 MB per second.
  static func milliseconds(forBytes count: Int) -> Int { 250 + count / 1_000 }

  // cmark's extensions register special characters for the whole process while a document is
  // parsed: of two concurrent documents, one would remove what the other still needs. Its allocator
  // also serves one document at a time.
  private static let turn = Mutex(())

  private mutating func read(_ text: [UInt8], isTitled: Bool, budget: Budget) {
    _ = Self.isPrepared
    guard !Self.hasWideTable(text, budget: budget) else { return show(text) }
    let result = text.withUnsafeBytes { bytes in
      argyle_cmark_html(
        bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, Self.options,
        !isTitled, Self.memory(forBytes: bytes.count),
        UInt32(Self.milliseconds(forBytes: bytes.count)),
        { budget, allocations in
          guard let budget else { return true }
          return !Unmanaged<Budget>.fromOpaque(budget).takeUnretainedValue()
            .spend(Int(allocations))
        }, Unmanaged.passUnretained(budget).toOpaque())
    }
    defer {
      free(result.html)
      free(result.heading)
    }
    if let heading = result.heading {
      let line = PlainText.line(String(cString: heading))
      if !line.isEmpty { self.heading = line }
    }
    if let html = result.html {
      self.html = String(cString: html)
    } else {
      show(text)
    }
  }

  /// Uses the text as it is written.
  private mutating func show(_ text: [UInt8]) {
    isPlain = true
    html = Self.note + PlainText.html(String(outside: text))
  }

  /// Whether a delimiter row of a table (`|---|:-:|`) has too many columns.
  private static func hasWideTable(_ text: [UInt8], budget: Budget) -> Bool {
    budget.spend(text.count)
    return text.split(separator: 0x0A).contains { line in
      var columns = 0
      for byte in line {
        switch byte {
        case UInt8(ascii: "|"): columns += 1
        // A table may be in a quote or a list.
        case UInt8(ascii: "-"), UInt8(ascii: ":"), UInt8(ascii: ">"), UInt8(ascii: "*"),
          UInt8(ascii: "+"), 0x09, 0x0D, 0x20:
          break
        default: return false
        }
      }
      return columns > columnLimit
    }
  }

  private static let note =
    "<p><em>This text is shown as it is written: as Markdown it would take far too long to read.</em>"

  // Embedded HTML is as safe as in any feed: the renderer decides what is shown.
  private static let options = CMARK_OPT_UNSAFE | CMARK_OPT_FOOTNOTES

  private static let isPrepared: Bool = {
    cmark_gfm_core_extensions_ensure_registered()
    return true
  }()
}
