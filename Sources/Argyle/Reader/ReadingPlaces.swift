import Articles
import Loading
import Synchronization
import TerminalUI

/// Where each article is read: kept while the program runs, and stored for the next time.
///
/// Places are written once a person rests, so that a key held down is one write, and at the latest
/// when the program ends.
@MainActor
final class ReadingPlaces {
  typealias Store = @Sendable (ReadingPosition?, Article.ID) async throws -> Void

  private let unsaved: UnsavedPlaces
  private let saving: Resource<Void>
  private var proxies: [Article.ID: ScrollProxy] = [:]
  private var order: [Article.ID] = []

  /// So many are kept in memory; others are in the store.
  private static let capacity = 64
  // Read by loads, which would else wait for the main actor first.
  private nonisolated static let rest = Duration.seconds(1)

  init(store: @escaping Store, clock: AnyClock, scheduler: LoadScheduler) {
    unsaved = UnsavedPlaces(store: store)
    saving = Resource(clock: clock, scheduler: scheduler)
  }

  /// Whether there is something to be written still.
  var isSaving: Bool { !unsaved.isEmpty }

  /// Writes what is not written yet.
  func finish() async { try? await unsaved.save() }

  /// What says where an article is read, and takes its text elsewhere.
  func proxy(of content: ArticleDocument) -> ScrollProxy {
    let id = content.article.id
    if let proxy = proxies[id] { return proxy }
    let start = content.position.map { ScrollPosition(block: $0.block, offset: $0.offset) }
    let proxy = ScrollProxy(at: start) { [weak self] in self?.note($0, of: content.article) }
    proxies[id] = proxy
    order.append(id)
    if order.count > Self.capacity { proxies[order.removeFirst()] = nil }
    return proxy
  }

  private func note(_ position: ScrollPosition, of article: Article) {
    // The handbook is in no store.
    guard !article.isBundled else { return }
    let isAtStart = position == ScrollPosition(block: 0)
    unsaved[article.id] =
      isAtStart
      ? .some(nil) : ReadingPosition(block: position.block, offset: position.offset)
    saving.load(
      Loader { [unsaved] context in
        try await context.clock.sleep(for: Self.rest)
        try await unsaved.save()
      }, .restart)
  }
}

/// Places on their way into the store: one that could not be written goes with the next one.
private final class UnsavedPlaces: Sendable {
  private let store: ReadingPlaces.Store
  private let all = Mutex<[Article.ID: ReadingPosition?]>([:])

  init(store: @escaping ReadingPlaces.Store) { self.store = store }

  var isEmpty: Bool { all.withLock(\.isEmpty) }

  /// Nil for one that is to be forgotten in the store.
  subscript(id: Article.ID) -> ReadingPosition?? {
    get { all.withLock { $0[id] } }
    set { all.withLock { $0[id] = newValue } }
  }

  func save() async throws {
    for (id, position) in all.withLock({ $0 }) {
      try await store(position, id)
      // Unless it was moved on meanwhile.
      all.withLock { if $0[id] == .some(position) { $0[id] = nil } }
    }
  }
}
