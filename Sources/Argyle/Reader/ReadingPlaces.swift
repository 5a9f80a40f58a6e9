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
  typealias Store = @Sendable (ReadingPosition?, Article.ID) async throws -> Void

  private let unsaved: UnsavedPlaces
  private let saving: Resource<Void>
  private var proxies: [Text: ScrollProxy] = [:]
  private var order: [Text] = []

  private struct Text: Hashable {
    let article: Article.ID
    let isTranscript: Bool
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
    let id = Text(
      article: content.article.id, isTranscript: content.textSource == .transcript)
    if let proxy = proxies[id] { return proxy }
    let start = content.position.map { ScrollPosition(block: $0.block, offset: $0.offset) }
    let proxy = ScrollProxy(at: start) { [weak self] in
      // The position in a transcript is not stored, because an article is opened with its own text.
      if !id.isTranscript { self?.note($0, of: content.article) }
    }
    proxies[id] = proxy
    order.append(id)
    if order.count > Self.capacity { proxies[order.removeFirst()] = nil }
    return proxy
  }

  private func note(_ position: ScrollPosition, of article: Article) {
    // The articles of the handbook are not in the store.
    guard !article.isBundled else { return }
    let isAtStart = position == ScrollPosition(block: 0)
    unsaved[article.id] = UnsavedPlaces.Place(
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
  private let all = Mutex<[Article.ID: Place]>([:])

  init(store: @escaping ReadingPlaces.Store) { self.store = store }

  var isEmpty: Bool { all.withLock(\.isEmpty) }

  /// The titles of the articles, sorted.
  var titles: [String] {
    all.withLock { $0.values.map { shortTitle($0.title) }.sorted() }
  }

  subscript(id: Article.ID) -> Place? {
    get { all.withLock { $0[id] } }
    set { all.withLock { $0[id] = newValue } }
  }

  func save() async throws {
    for (id, place) in all.withLock({ $0 }) {
      try await store(place.position, id)
      // Unless the position has changed meanwhile.
      all.withLock { if $0[id] == place { $0[id] = nil } }
    }
  }
}
