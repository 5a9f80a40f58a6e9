import GRDB
import GRDBSQLite
import Limits

/// Marks the matches in search results, and cuts the excerpts that are shown.
///
/// SQLite's own `snippet` compares every match in a text with every other one: a text of 100,000
/// matching words takes it minutes. This type reads a text once, and only its beginning. It uses
/// the tokenizer of the index, so that both find the same words.
struct SearchHighlighter {
  /// How many words an excerpt has.
  private static let excerptWords = 24
  /// The largest size of an excerpt, in bytes: a word may be as long as a text.
  private static let excerptLimit = 2_000
  /// How much of a title is searched for matches, in bytes.
  private static let titleLimit = 4_000

  private let tokenizer: any FTS5Tokenizer
  private let pattern: SearchPattern

  init(_ phrases: [SearchPhrase], _ database: Database) throws {
    tokenizer = try database.makeTokenizer(
      FTS5TokenizerDescriptor(components: SearchText.tokenizer))
    pattern = SearchPattern(phrases, tokenizer)
  }

  /// Returns a whole title with its matches marked.
  func title(_ text: String, budget: Budget? = nil) -> SearchResult.Excerpt {
    let bytes = Array(SearchText.segmented(text).utf8)
    let end = boundary(in: bytes, at: min(bytes.count, Self.titleLimit))
    let scan = SearchScan(pattern, window: .max, budget ?? Budget(bytes: bytes.count))
    scan.read(bytes[..<end], tokenizer)
    return excerpt(of: bytes, 0..<bytes.count, marking: scan.hits.map { scan.bytes(of: $0) })
  }

  /// Returns an excerpt around the first part of a text with the most matching phrases, or from its
  /// beginning.
  ///
  /// Text beyond the end of the budget is not read.
  func snippet(of text: String, budget: Budget? = nil) -> SearchResult.Excerpt {
    let bytes = Array(SearchText.segmented(text).utf8)
    let scan = SearchScan(
      pattern, window: Self.excerptWords, budget ?? Budget(bytes: bytes.count))
    scan.read(bytes[...], tokenizer)
    let count = scan.words.count
    let best = scan.best ?? 0..<0
    let before = (Self.excerptWords - best.count) / 2
    let start = max(0, min(best.lowerBound - before, count - Self.excerptWords))
    let end = min(count, start + Self.excerptWords)
    let isWhole = scan.isComplete && end == count
    var range = start > 0 ? scan.words[start].lowerBound..<bytes.count : 0..<bytes.count
    if !isWhole, end > 0 { range = range.lowerBound..<scan.words[end - 1].upperBound }
    range = limited(range, in: bytes, around: best.isEmpty ? nil : scan.bytes(of: best))
    let hits = scan.hits.filter { $0.lowerBound >= start && $0.upperBound <= end }
    return excerpt(
      of: bytes, range, marking: hits.map { scan.bytes(of: $0) },
      ellipses: (range.lowerBound > 0, range.upperBound < bytes.count))
  }

  /// Shortens a range to the size that may be shown, starting a little before `place`.
  private func limited(
    _ range: Range<Int>, in bytes: [UInt8], around place: Range<Int>?
  ) -> Range<Int> {
    guard range.count > Self.excerptLimit else { return range }
    let wanted = (place?.lowerBound ?? range.lowerBound) - Self.excerptLimit / 8
    let start = boundary(in: bytes, at: max(range.lowerBound, wanted))
    return start..<boundary(in: bytes, at: min(range.upperBound, start + Self.excerptLimit))
  }

  /// Returns the index at which the character with this byte begins.
  private func boundary(in bytes: [UInt8], at index: Int) -> Int {
    var index = index
    while index > 0, index < bytes.count, bytes[index] & 0xC0 == 0x80 { index -= 1 }
    return index
  }

  private func excerpt(
    of bytes: [UInt8], _ range: Range<Int>, marking hits: [Range<Int>],
    ellipses: (start: Bool, end: Bool) = (false, false)
  ) -> SearchResult.Excerpt {
    var excerpt = SearchResult.Excerpt(parts: [])
    func add(_ piece: Range<Int>, isMatch: Bool) {
      excerpt.append(String(decoding: bytes[piece], as: UTF8.self), isMatch: isMatch)
    }
    if ellipses.start { excerpt.append("…", isMatch: false) }
    var place = range.lowerBound
    for hit in hits.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      let hit = hit.clamped(to: place..<max(place, range.upperBound))
      if hit.isEmpty { continue }
      add(place..<hit.lowerBound, isMatch: false)
      add(hit, isMatch: true)
      place = hit.upperBound
    }
    add(place..<max(place, range.upperBound), isMatch: false)
    if ellipses.end { excerpt.append("…", isMatch: false) }
    return excerpt
  }
}

/// The search phrases, as words of the index.
private struct SearchPattern {
  struct Phrase {
    /// Indices into ``SearchPattern/words``; never empty.
    var words: [Int] = []
    /// Whether the last word also matches words that begin with it.
    let isPrefix: Bool
  }

  private(set) var words: [[UInt8]] = []
  private(set) var phrases: [Phrase] = []

  init(_ phrases: [SearchPhrase], _ tokenizer: any FTS5Tokenizer) {
    for phrase in phrases {
      let tokens = (try? tokenizer.tokenize(query: phrase.text)) ?? []
      guard !tokens.isEmpty else { continue }
      let numbers = tokens.map { token in number(of: Array(SearchText.spelledOut(token.token).utf8))
      }
      self.phrases.append(Phrase(words: numbers, isPrefix: phrase.isPrefix))
    }
  }

  private mutating func number(of word: [UInt8]) -> Int {
    if let number = words.firstIndex(of: word) { return number }
    words.append(word)
    return words.count - 1
  }

  /// Returns the index of the pattern's word that equals this one, and the indices of its words
  /// with which this one begins.
  func matches(_ word: UnsafeRawBufferPointer) -> (number: Int?, beginsWith: [Int]) {
    // Only words with these bytes may be written in another way.
    guard word.contains(where: { $0 == 0xC3 || $0 == 0xEF }) else { return matches(exactly: word) }
    let text = SearchText.spelledOut(String(decoding: word, as: UTF8.self))
    return Array(text.utf8).withUnsafeBytes(matches(exactly:))
  }

  private func matches(
    exactly word: UnsafeRawBufferPointer
  ) -> (number: Int?, beginsWith: [Int]) {
    var number: Int?
    var beginsWith: [Int] = []
    for (index, other) in words.enumerated() where word.starts(with: other) {
      beginsWith.append(index)
      if other.count == word.count { number = index }
    }
    return (number, beginsWith)
  }
}

/// One pass over a text.
private final class SearchScan {
  /// The byte ranges of the words.
  private(set) var words: [Range<Int>] = []
  /// The matched phrases, as ranges of words, ordered by their ends.
  private(set) var hits: [Range<Int>] = []
  /// The words from the first to the last phrase of the first window with the most phrases.
  private(set) var best: Range<Int>?
  /// Whether the text was read to its end.
  private(set) var isComplete = true

  private let pattern: SearchPattern
  private let budget: Budget
  /// How many words a window has.
  private let window: Int
  /// For each word of the text, the index of the equal word of the pattern.
  private var numbers: [Int?] = []
  /// The latest match of each phrase.
  private var latest: [Range<Int>?]
  private var bestCount = 0

  init(_ pattern: SearchPattern, window: Int, _ budget: Budget) {
    self.pattern = pattern
    self.budget = budget
    self.window = window
    latest = Array(repeating: nil, count: pattern.phrases.count)
  }

  /// Converts a range of words to a range of bytes.
  func bytes(of range: Range<Int>) -> Range<Int> {
    words[range.lowerBound].lowerBound..<words[range.upperBound - 1].upperBound
  }

  func read(_ text: ArraySlice<UInt8>, _ tokenizer: any FTS5Tokenizer) {
    text.withUnsafeBytes { text in
      _ = tokenizer.tokenize(
        context: Unmanaged.passUnretained(self).toOpaque(), tokenization: .aux,
        pText: text.baseAddress?.assumingMemoryBound(to: CChar.self), nText: CInt(text.count)
      ) { context, _, word, count, start, end in
        guard let context, let word else { return SQLITE_OK }
        let scan = Unmanaged<SearchScan>.fromOpaque(context).takeUnretainedValue()
        let isEnough = scan.add(
          UnsafeRawBufferPointer(start: word, count: Int(count)), at: Int(start)..<Int(end))
        return isEnough ? SQLITE_DONE : SQLITE_OK
      }
    }
  }

  /// Adds the next word.
  ///
  /// - Returns: whether later words cannot change the result.
  private func add(_ word: UnsafeRawBufferPointer, at place: Range<Int>) -> Bool {
    let index = words.count
    words.append(place)
    budget.spend(1 + pattern.words.count + pattern.phrases.count)
    let matches = pattern.matches(word)
    numbers.append(matches.number)
    for (number, phrase) in pattern.phrases.enumerated() {
      guard let last = phrase.words.last, phrase.words.count <= index + 1,
        phrase.isPrefix ? matches.beginsWith.contains(last) : matches.number == last
      else { continue }
      let start = index + 1 - phrase.words.count
      budget.spend(phrase.words.count)
      guard zip(start..<index, phrase.words).allSatisfy({ numbers[$0] == $1 }) else { continue }
      latest[number] = start..<index + 1
      hits.append(start..<index + 1)
    }
    if hits.last?.upperBound == index + 1 { judge(at: index + 1) }
    // One window has every phrase, and the words that the excerpt shows after it have been read.
    let isFound = bestCount == pattern.phrases.count && bestCount > 0
    if isFound, let best, index - best.lowerBound > window { isComplete = false }
    if budget.isSpent { isComplete = false }
    return !isComplete
  }

  /// Compares the window that ends here with the best one.
  private func judge(at end: Int) {
    let start = window < end ? end - window : 0
    let inside = latest.compactMap { $0 }.filter { $0.lowerBound >= start }
    guard inside.count > bestCount, let first = inside.map(\.lowerBound).min() else { return }
    bestCount = inside.count
    best = first..<end
  }
}
