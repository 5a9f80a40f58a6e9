import GRDB
import GRDBSQLite
import Limits

/// Finds what was searched for in the texts of results, and cuts the excerpts that are shown.
///
/// SQLite's own `snippet` compares every match of a text with every other one: a text of 100,000
/// matching words takes it minutes. This reads a text once, and only its beginning. It splits it with
/// the tokenizer of the index, so that both find the same words.
struct SearchHighlighter {
  /// Of so many words an excerpt is made.
  private static let excerptWords = 24
  /// An excerpt is cut at this size, in bytes: a word may be as long as a text.
  private static let excerptLimit = 2_000
  /// In a title nothing is marked behind this, in bytes.
  private static let titleLimit = 4_000

  private let tokenizer: any FTS5Tokenizer
  private let pattern: SearchPattern

  init(_ phrases: [SearchPhrase], _ database: Database) throws {
    tokenizer = try database.makeTokenizer(
      FTS5TokenizerDescriptor(components: SearchText.tokenizer))
    pattern = SearchPattern(phrases, tokenizer)
  }

  /// A title with everything in it that was searched for.
  func title(_ text: String, budget: Budget? = nil) -> SearchResult.Excerpt {
    let bytes = Array(SearchText.segmented(text).utf8)
    let end = boundary(in: bytes, at: min(bytes.count, Self.titleLimit))
    let scan = SearchScan(pattern, window: .max, budget ?? Budget(bytes: bytes.count))
    scan.read(bytes[..<end], tokenizer)
    return excerpt(of: bytes, 0..<bytes.count, marking: scan.hits.map { scan.bytes(of: $0) })
  }

  /// The first place in a text that has most of what was searched for, or its beginning.
  ///
  /// What lies behind the end of the budget is not read.
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

  /// At most so much of a range as may be shown, from a little before `place`.
  private func limited(
    _ range: Range<Int>, in bytes: [UInt8], around place: Range<Int>?
  ) -> Range<Int> {
    guard range.count > Self.excerptLimit else { return range }
    let wanted = (place?.lowerBound ?? range.lowerBound) - Self.excerptLimit / 8
    let start = boundary(in: bytes, at: max(range.lowerBound, wanted))
    return start..<boundary(in: bytes, at: min(range.upperBound, start + Self.excerptLimit))
  }

  /// The place at which the character begins that has this byte.
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

/// What is searched for, as words of the index.
private struct SearchPattern {
  struct Phrase {
    /// The numbers of its words in ``SearchPattern/words``; none is empty.
    var words: [Int] = []
    /// Whether a word counts as its last one that only begins with it.
    let isPrefix: Bool
  }

  private(set) var words: [[UInt8]] = []
  private(set) var phrases: [Phrase] = []

  init(_ phrases: [SearchPhrase], _ tokenizer: any FTS5Tokenizer) {
    for phrase in phrases {
      let tokens = (try? tokenizer.tokenize(query: phrase.text)) ?? []
      guard !tokens.isEmpty else { continue }
      let numbers = tokens.map { token in number(of: Array(token.token.utf8)) }
      self.phrases.append(Phrase(words: numbers, isPrefix: phrase.isPrefix))
    }
  }

  private mutating func number(of word: [UInt8]) -> Int {
    if let number = words.firstIndex(of: word) { return number }
    words.append(word)
    return words.count - 1
  }

  /// The words of the pattern that this one is, and that it begins with.
  func matches(_ word: UnsafeRawBufferPointer) -> (number: Int?, beginsWith: [Int]) {
    var number: Int?
    var beginsWith: [Int] = []
    for (index, other) in words.enumerated() where word.starts(with: other) {
      beginsWith.append(index)
      if other.count == word.count { number = index }
    }
    return (number, beginsWith)
  }
}

/// One reading of a text.
private final class SearchScan {
  /// Where the words are, in bytes.
  private(set) var words: [Range<Int>] = []
  /// The phrases that were found, in words, in the order of their ends.
  private(set) var hits: [Range<Int>] = []
  /// The words from the first to the last phrase of the first place with most of them.
  private(set) var best: Range<Int>?
  /// Whether the text was read to its end.
  private(set) var isComplete = true

  private let pattern: SearchPattern
  private let budget: Budget
  /// How many words a place has.
  private let window: Int
  /// The words of the pattern that the words are.
  private var numbers: [Int?] = []
  /// Where each phrase was found last.
  private var latest: [Range<Int>?]
  private var bestCount = 0

  init(_ pattern: SearchPattern, window: Int, _ budget: Budget) {
    self.pattern = pattern
    self.budget = budget
    self.window = window
    latest = Array(repeating: nil, count: pattern.phrases.count)
  }

  /// Where words are in the text.
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

  /// Takes the next word.
  ///
  /// - Returns: Whether what comes after it cannot change the answer.
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
    // Everything is in one place, and what may be shown after it was read.
    let isFound = bestCount == pattern.phrases.count && bestCount > 0
    if isFound, let best, index - best.lowerBound > window { isComplete = false }
    if budget.isSpent { isComplete = false }
    return !isComplete
  }

  /// Compares the place that ends here with the best one.
  private func judge(at end: Int) {
    let start = window < end ? end - window : 0
    let inside = latest.compactMap { $0 }.filter { $0.lowerBound >= start }
    guard inside.count > bestCount, let first = inside.map(\.lowerBound).min() else { return }
    bestCount = inside.count
    best = first..<end
  }
}
