import Articles
import Loading
import Synchronization
import TerminalUI

/// The reading position of each article: kept while the program runs, and stored for the next
/// start.
///
/// Positions are stored after a pause, so that a key that is held down causes a single write, and
/// at the latest when the program ends.
@MainActor
final class ReadingPlaces {
  typealias Store = @Sendable (ReadingPosition?, Article.ID, TextSource) async throws -> Void

  private let unsaved: UnsavedPlaces
  private let saving: Resource<Void>
  private var proxies: [Text: ScrollProxy] = [:]
  /// The texts with a proxy; those that were shown last come last.
  private var order: [Text] = []

  /// A text of an article: each has a position of its own.
  fileprivate struct Text: Hashable {
    let article: Article.ID
    let source: TextSource
  }

  /// How many positions are kept in memory; the others are in the store.
  private static let capacity = 64
  /// How long a position has to stay the same before it is stored.
  private nonisolated static let rest = Duration.seconds(1)

  init(store: @escaping Store, clock: AnyClock, scheduler: LoadScheduler) {
    unsaved = UnsavedPlaces(store: store)
    saving = Resource(name: "reading position", clock: clock, scheduler: scheduler)
  }

  /// Returns the proxy that knows the scroll position of an article's text, and can change it.
  func proxy(of content: ArticleDocument) -> ScrollProxy {
    let text = Text(article: content.article.id, source: content.textSource)
    if let proxy = proxies[text] {
      if order.last != text {
        order.removeAll { $0 == text }
        order.append(text)
      }
      return proxy
    }
    let isTranscript = text.source == .transcript
    // The stored position is that of the text with which the article was opened.
    let isOpened = !order.contains { $0.article == text.article && $0.source != .transcript }
    let stored = isTranscript || isOpened ? content.position : nil
    let start = stored.map { ScrollPosition(block: $0.block, offset: $0.offset) }
    let proxy = ScrollProxy(at: start) { [weak self] in
      // The position in a transcript is not stored, because an article is opened with its own text.
      if !isTranscript { self?.note($0, in: text, of: content.article) }
    }
    add(proxy, of: text)
    return proxy
  }

  private func add(_ proxy: ScrollProxy, of text: Text) {
    proxies[text] = proxy
    order.append(text)
    if order.count > Self.capacity { proxies[order.removeFirst()] = nil }
  }

  private func note(_ position: ScrollPosition, in text: Text, of article: Article) {
    // The articles of the handbook are not in the store.
    guard !article.isBundled else { return }
    let isAtStart = position == ScrollPosition(block: 0)
    unsaved[text] = UnsavedPlaces.Place(
      title: article.title,
      position: isAtStart
        ? nil : ReadingPosition(block: position.block, offset: position.offset))
    save(after: Self.rest)
  }

  private func save(after rest: Duration) {
    saving.load(
      Loader { [unsaved] context in
        if rest > .zero { try await context.clock.sleep(for: rest) }
        try await unsaved.save()
      }, .restart)
  }
}

extension ReadingPlaces: UnsavedChanges {
  var isSaving: Bool { !unsaved.isEmpty }

  func finishSaving() async -> [String] {
    guard isSaving else { return [] }
    save(after: .zero)
    _ = await saving.settled()
    return unsaved.titles.map { "Your place in “\($0)” was not saved." }
  }
}

/// Positions that are not stored yet; one that could not be stored is tried again with the next.
private final class UnsavedPlaces: Sendable {
  struct Place: Hashable, Sendable {
    /// The title of the article.
    let title: String
    /// The position; nil if it is to be removed from the store.
    let position: ReadingPosition?
  }

  private let store: ReadingPlaces.Store
  private let all = Mutex<[ReadingPlaces.Text: Place]>([:])

  init(store: @escaping ReadingPlaces.Store) { self.store = store }

  var isEmpty: Bool { all.withLock(\.isEmpty) }

  /// The titles of the articles, sorted.
  var titles: [String] {
    all.withLock { Set($0.values.map { shortTitle($0.title) }).sorted() }
  }

  subscript(text: ReadingPlaces.Text) -> Place? {
    get { all.withLock { $0[text] } }
    set { all.withLock { $0[text] = newValue } }
  }

  func save() async throws {
    for (text, place) in all.withLock({ $0 }) {
      try await store(place.position, text.article, text.source)
      // Unless the position has changed meanwhile.
      all.withLock { if $0[text] == place { $0[text] = nil } }
    }
  }
}
