import Limits

/// Collects the runs of one paragraph, and collapses white space as browsers do.
struct InlineBuilder {
  private var inlines: [Inline] = []
  private var run: [UInt8] = []
  private var runStyle: TextStyle = []
  private var runLink: Int?
  /// Whether white space would follow other white space or start a line, and so is dropped.
  private var isAfterSpace = true
  private var breaks = 0

  var isEmpty: Bool { inlines.isEmpty && run.isEmpty }

  /// Whether the next text would follow other text without white space in between.
  var endsInWord: Bool { !isAfterSpace }

  /// How many line breaks are at the end.
  var trailingBreaks: Int { breaks }

  mutating func append(_ text: some Sequence<UInt8>, style: TextStyle, link: Int?) {
    if style != runStyle || link != runLink { endRun() }
    runStyle = style
    runLink = link
    for byte in text {
      if isWhiteSpace(byte) {
        if !isAfterSpace { run.append(0x20) }
        isAfterSpace = true
      } else {
        run.append(byte)
        isAfterSpace = false
        breaks = 0
      }
    }
  }

  mutating func append(_ picture: Picture, link: Int?) {
    endRun()
    inlines.append(.picture(picture, link: link))
    isAfterSpace = false
    breaks = 0
  }

  /// Adds an anchor; called only before text, since an anchor alone would create an empty
  /// paragraph.
  mutating func append(anchor name: String) {
    endRun()
    inlines.append(.anchor(name))
  }

  mutating func appendBreak() {
    guard !isEmpty else { return }
    trimEnd()
    inlines.append(.lineBreak)
    isAfterSpace = true
    breaks += 1
  }

  /// Returns the runs so far, without white space and line breaks at the end, and starts over.
  ///
  /// Empty if nothing of them is visible: editors write `&nbsp;` for an empty paragraph.
  mutating func take() -> [Inline] {
    trimEnd()
    while case .lineBreak? = inlines.last { inlines.removeLast() }
    trimEnd()
    let result = inlines
    self = InlineBuilder()
    return result.contains(where: \.isVisible) ? result : []
  }

  private mutating func endRun() {
    guard !run.isEmpty else { return }
    inlines.append(.text(String(outside: run), runStyle, link: runLink))
    run.removeAll(keepingCapacity: true)
  }

  private mutating func trimEnd() {
    if run.last == 0x20 { run.removeLast() }
    endRun()
    guard case .text(var text, let style, let link)? = inlines.last, text.utf8.last == 0x20 else {
      return
    }
    inlines.removeLast()
    text.unicodeScalars.removeLast()
    if !text.isEmpty { inlines.append(.text(text, style, link: link)) }
  }
}

extension Inline {
  fileprivate var isVisible: Bool {
    switch self {
    case .text(let text, _, _): text.isVisible
    case .picture: true
    case .lineBreak, .anchor: false
    }
  }
}
