import Loading
import Observation
import Socks
import TerminalUI

/// The state of the drawer's screens: which row is selected, what is open, what is being typed.
///
/// It outlives the screens, so the list is unchanged when the user comes back to it.
@MainActor
@Observable
final class DrawerModel {
  let drawer: SockDrawer
  let pictures: PictureSupply
  /// The pictures of the rows, including rows that are not on the screen.
  let thumbnails: ResourcePool<SockPicture, CellBuffer>
  let clock: AnyClock

  /// The sock in the detail view.
  var openSock: Sock.ID?
  /// The form for a sock that is being added or changed.
  var form: SockForm?
  /// The single sock whose possible partners are listed.
  var partnersOf: Sock?
  /// The first sock of a pair that is being made.
  var pairing: Sock?
  /// The socks that keys change together, as they were when they were marked.
  var marked: [Sock.ID: Sock] = [:] {
    didSet { drawer.retained = Set(marked.keys) }
  }
  /// The changes that can be undone.
  var undoing = DrawerUndo()
  /// Why the changes of the last run could not be read; nil if they were.
  private(set) var unreadChanges: UnreadSockChanges?
  /// Whether the sheet with all pending and failed changes is open.
  var showsChanges = false
  /// The row whose sock is shown beside the list, debounced until the selection stops moving.
  let preview: Resource<DrawerRows.Anchor?>
  /// The search text, as it is typed.
  var searchText = "" {
    didSet {
      guard searchText != oldValue else { return }
      settledSearch.load(Self.settling(searchText))
    }
  }
  /// The search text, debounced until typing stops.
  let settledSearch: Resource<String>

  /// The newest changes of the drawer, whatever their origin.
  let changes: Resource<[Numbered<Void>]>
  /// The newest failed changes, each of which is reported once.
  let failures: Resource<[Numbered<FailedMutation>]>

  /// The selected row.
  private var anchor: DrawerRows.Anchor? {
    didSet {
      guard preview.isShown else { return }
      let resting = Loader<DrawerRows.Anchor?>.constant(anchor).debounced(for: .milliseconds(100))
      preview.load(resting, .restart, cause: .inputChanged)
    }
  }
  /// The added sock, which is selected as soon as it is in the list, unless the user has selected
  /// another row by then.
  private var added: Sock.ID?

  init(
    _ api: any SockAPI, journal: (any MutationJournal)? = nil, pictures: PictureSupply,
    clock: AnyClock = .terminal,
    scheduler: LoadScheduler = .terminal
  ) {
    drawer = SockDrawer(api, journal: journal, clock: clock, scheduler: scheduler)
    self.pictures = pictures
    thumbnails = ResourcePool(
      name: { _ in "picture of a sock" }, clock: clock, scheduler: scheduler
    ) { picture in
      pictures.load(picture, SockThumbnail.size)
    }
    self.clock = clock
    settledSearch = Resource(
      initialState: .loaded(""), name: "search of socks", clock: clock, scheduler: scheduler)
    preview = Resource(
      initialState: .loaded(nil), name: "shown sock", clock: clock, scheduler: scheduler)
    changes = Resource(
      Self.gathering(api.changes()), name: "changes of the drawer", clock: clock,
      scheduler: scheduler)
    failures = Resource(
      Self.gathering(drawer.failures.failures), name: "failed changes of socks", clock: clock,
      scheduler: scheduler)
    changes.load()
    failures.load()
  }

  /// Shows and sends the changes that the last run has stored but not sent.
  ///
  /// - Parameter unread: why they cannot be read, if the journal could not be opened.
  func resumeChanges(unread: UnreadSockChanges?) async {
    unreadChanges = unread
    do { try await drawer.resumeChanges() } catch { unreadChanges = error }
  }

  // MARK: Rows

  var rows: DrawerRows { DrawerRows(drawer) }

  /// The selected row.
  var selection: DrawerRows.Row? { selection(in: rows) }

  /// Returns the selected one of these rows.
  func selection(in rows: DrawerRows) -> DrawerRows.Row? {
    rows.row(of: added.flatMap { arrival($0, in: rows) } ?? anchor)
  }

  /// Returns the position of an added sock, even if its page is not loaded yet.
  private func arrival(_ id: Sock.ID, in rows: DrawerRows) -> DrawerRows.Anchor? {
    rows.anchor(.sock(id)) ?? drawer.place(ofAdded: id).flatMap { rows.anchor(.place($0)) }
  }

  func select(_ id: DrawerRows.ID) { select(id, in: rows) }

  /// Selects one of the rows on the screen.
  func select(_ id: DrawerRows.ID, in rows: DrawerRows) {
    anchor = rows.anchor(id) ?? anchor
    added = nil
  }

  /// Shows the sock of the selected row beside the list at once.
  func previewSelection() { preview.set(.loaded(anchor)) }

  /// The anchor of the selected row; it changes when that row was removed or moved.
  var selectionAnchor: DrawerRows.Anchor? { selection.flatMap { rows.anchor($0.id) } }

  /// Anchors the selection to the row that is selected now, after rows were added or removed.
  func settleSelection() { anchor = selectionAnchor ?? anchor }

  /// Returns the sock of a row as it is now, with its state; nil if it is not loaded.
  func content(of row: DrawerRows.Row) -> DrawerRow? { row.arrival ?? stored(row) }

  /// Returns the sock of a row, unless it is not loaded or still being added.
  private func stored(_ row: DrawerRows.Row?) -> DrawerRow? {
    row?.place.flatMap { drawer.row(at: $0).value }
  }

  /// The sock to show beside the list.
  func previewed(_ anchor: DrawerRows.Anchor?) -> Sock? { stored(rows.row(of: anchor))?.sock }

  /// The sock that keys act on: the one in the detail view, or else the selected one; nil for a
  /// sock that is still being added.
  var current: DrawerRow? {
    guard let openSock else { return stored(selection) }
    return drawer.sock(openSock).latestValue.map {
      DrawerRow(sock: $0, state: drawer.state(of: openSock))
    }
  }

  /// The text that plain mode announces for the current sock.
  var spoken: String { current?.spoken ?? "" }

  /// The current sock if one of its changes failed, or if adding it failed.
  var failed: DrawerRow? {
    let row = openSock == nil ? selection?.arrival ?? current : current
    guard let row, case .failed = row.state else { return nil }
    return row
  }

  /// The actions that are possible for the current sock.
  struct Offers {
    /// Whether there is a current sock to change.
    var changes = false
    var undoes = false
    var isMarking = false
    var hasFailed = false
    var removes = false
    var edits = false
    var findsPartner = false
    var unpairs = false
  }

  /// The actions that are possible now.
  var offers: Offers {
    let current = current
    return Offers(
      changes: current != nil, undoes: canUndo, isMarking: !marked.isEmpty,
      hasFailed: failed != nil,
      removes: current?.isHere ?? false, edits: canEdit,
      findsPartner: current != nil && current?.sock.pair == nil,
      unpairs: current?.sock.pair != nil)
  }

  // MARK: Changing

  func retryFailedChanges() {
    if let failed { drawer.retryFailedChanges(of: failed.id) }
  }

  func dismissFailedChanges() {
    if let failed { drawer.dismissFailedChanges(of: failed.id) }
  }

  // MARK: The form

  func add() { form = SockForm() }

  /// Whether there is something to edit: a sock, or one that could not be added.
  var canEdit: Bool {
    if case .removing = current?.state { return false }
    return current != nil || failedArrival != nil
  }

  /// Opens the form of the current sock, and stops its removal, which would discard what is typed.
  func edit() {
    if let failedArrival {
      form = SockForm(repeating: failedArrival)
    } else {
      guard canEdit, let current else { return }
      if drawer.undoRemoval(of: current.id) { undoing.forget(.putBack(current.id)) }
      form = SockForm(of: current.sock)
    }
  }

  private var failedArrival: Sock? {
    guard let failed, selection?.arrival?.id == failed.id else { return nil }
    return failed.sock
  }

  /// Saves the form and closes it, unless a field is invalid, or names a file that is no picture.
  func submit() {
    guard let form, let edits = form.edits() else { return }
    guard let path = edits.lazy.compactMap(\.pictureFile).first else { return save(form, edits) }
    Task {
      let failure = await pictures.check(path)
      // The form may have been closed or changed meanwhile.
      guard self.form === form, form.edits() == edits else { return }
      if let failure { form.refusePicture(failure) } else { save(form, edits) }
    }
  }

  private func save(_ form: SockForm, _ edits: [SockEdit]) {
    self.form = nil
    if let sock = form.changedSock {
      if !edits.isEmpty {
        let fields = Set(edits.map(\.field))
        undoing.note([.edit(sock, sock.edits.filter { fields.contains($0.field) })])
        drawer.edit(sock.id, edits, known: sock)
      }
    } else {
      let draft = form.draft(edits)
      drawer.add(draft)
      undoing.note([.remove(draft.sock(at: .distantPast))])
      added = draft.id
    }
  }

  // MARK: Navigation

  func open(_ sock: Sock.ID) { openSock = sock }

  /// Lists the socks that could be the partner of the current one.
  func findPartner() { partnersOf = current?.sock }

  func reload() {
    drawer.refresh()
    thumbnails.forEach { _, thumbnail in
      if thumbnail.currentFailure != nil { thumbnail.retry() }
    }
  }

  // MARK: Search and order

  /// Lists the socks that match the text.
  func search(for text: String) {
    var query = drawer.query
    query.filter.text = text
    drawer.show(query)
  }

  func nextOrder() {
    var query = drawer.query
    let orders = SockOrder.offered
    let index = orders.firstIndex { $0.key == query.order.key } ?? -1
    query.order = orders[(index + 1) % orders.count]
    drawer.show(query)
  }

  func reverseOrder() {
    var query = drawer.query
    query.order.isDescending.toggle()
    drawer.show(query)
  }

  // MARK: Loaders

  private static func settling(_ text: String) -> Loader<String> {
    // Clearing the search is not debounced, so that the whole list is back at once.
    let loader = Loader<String>.constant(text)
    return text.isEmpty ? loader : loader.debounced(for: .milliseconds(150))
  }

  private static func gathering<Event>(
    _ events: AsyncStream<Event>
  ) -> Loader<[Numbered<Event>]> {
    Loader { _, output in
      var newest: [Numbered<Event>] = []
      var number = 0
      for await event in events {
        number += 1
        newest = newest.suffix(63) + [Numbered(number: number, event: event)]
        output.yield(newest)
      }
      return newest
    }
  }
}

/// An event, with a number that increases with each of its kind.
struct Numbered<Event: Sendable>: Sendable {
  let number: Int
  let event: Event
}

extension SockEdit {
  /// The file that it makes the picture.
  fileprivate var pictureFile: String? {
    if case .picture(.file(let path)?) = value { path } else { nil }
  }
}
