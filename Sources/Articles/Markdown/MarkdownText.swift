import CCmark
import Limits
import Synchronization

/// A Markdown text as HTML, with the title that its first heading gives it.
///
/// A text that cmark could only read with too much memory or time is not taken for Markdown: its HTML
/// is the text as it is written, after a line that says so. The limits are ``columnLimit`` for tables,
/// ``memory(forBytes:)`` and ``milliseconds(forBytes:)``.
struct MarkdownText {
  /// The first heading, without markup; nil when there is none.
  private(set) var heading: String?
  /// Without that heading when it is the first thing in the text and its title.
  private(set) var html = ""
  /// Whether the text could not be read as Markdown.
  private(set) var isPlain = false

  /// Tables, strikethrough, tasks, footnotes and bare addresses as GitHub has them.
  ///
  /// - Parameters:
  ///   - isTitled: whether it has a title already.
  ///   - budget: what it may cost; when it is spent, the text is not read.
  init(_ text: [UInt8], isTitled: Bool = false, budget: Budget? = nil) {
    let budget = budget ?? Budget(bytes: text.count)
    guard budget.spend(text.count) else { return }
    Self.turn.withLock { _ in read(text, isTitled: isTitled, budget: budget) }
  }

  /// A table may have so many columns: cmark fills every short row up to all of them.
  static let columnLimit = 64

  /// How much memory cmark may take at a time: a long text of nothing but markup needs most of it.
  static func memory(forBytes count: Int) -> Int { (16 << 20) + 10 * count }

  /// How much processor time cmark may take: it reads more than 10 MB in a second.
  static func milliseconds(forBytes count: Int) -> Int { 250 + count / 1_000 }

  // cmark keeps for the whole process which characters the extensions look for, from the beginning
  // of a document to its end: of two at the same time one would end what the other still needs. Its
  // allocator serves one document at a time as well.
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

  /// Takes the text as it is written.
  private mutating func show(_ text: [UInt8]) {
    isPlain = true
    html = Self.note + PlainText.html(String(outside: text))
  }

  /// Whether there is a line as below the head of a table (`|---|:-:|`) with too many columns.
  private static func hasWideTable(_ text: [UInt8], budget: Budget) -> Bool {
    budget.spend(text.count)
    return text.split(separator: 0x0A).contains { line in
      var columns = 0
      for byte in line {
        switch byte {
        case UInt8(ascii: "|"): columns += 1
        // A table may lie in a quote or a list.
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

  // HTML inside is as safe as in any feed: the one renderer decides what of it is shown.
  private static let options = CMARK_OPT_UNSAFE | CMARK_OPT_FOOTNOTES

  private static let isPrepared: Bool = {
    cmark_gfm_core_extensions_ensure_registered()
    return true
  }()
}
