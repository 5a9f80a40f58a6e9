import Loading
import Observation
import Socks
import TerminalUI

/// What the drawer's screens show: which row is selected, what is open, what is being typed.
///
/// It outlives its screens: a list that is left and entered again is still there.
@MainActor
@Observable
final class DrawerModel {
  let drawer: SockDrawer
  let pictures: PictureSupply
  /// The pictures of the rows, shown or not.
  let thumbnails: ResourcePool<SockPicture, CellBuffer>
  let clock: AnyClock

  /// The sock of the detail view.
  var openSock: Sock.ID?
  /// What is being added or changed.
  var form: SockForm?
  /// The single sock whose other one is looked for.
  var partnersOf: Sock?
  /// The sock that waits for another one to be paired with.
  var pairing: Sock?
  /// The socks that keys change together, as they were when they were marked.
  var marked: [Sock.ID: Sock] = [:]
  /// What was done, to be taken back.
  var undoing = DrawerUndo()
  /// Whether all that is not kept yet, or could not be, is looked at.
  var showsChanges = false
  /// The sock that is shown beside the list, once the selection rests.
  let preview: Resource<DrawerRows.ID?>
  /// What is looked for, as it is typed.
  var searchText = "" {
    didSet {
      guard searchText != oldValue else { return }
      settledSearch.load(Self.settling(searchText))
    }
  }
  /// What is looked for, once the typing rests.
  let settledSearch: Resource<String>

  /// Tells of every change of the drawer, whoever made it.
  let revision: Resource<DrawerRevision>
  /// The newest changes that could not be kept, each of which is told once.
  let failures: Resource<[NumberedFailure]>

  // The list draws its own moves: nobody else is told of each.
  @ObservationIgnored private var anchor: DrawerRows.Anchor?
  // Selected as soon as it is in the list, unless somebody has gone elsewhere by then.
  @ObservationIgnored private var added: Sock.ID?
  /// Changes when what keys can do is another thing, or another row is to be selected.
  private var turns = 0
  /// Counts moves to another row: where what is selected is read out.
  private var moves = 0

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
    revision = Resource(
      Loader(sequence: { api.changes() }), name: "changes of the drawer", clock: clock,
      scheduler: scheduler)
    failures = Resource(
      Self.gathering(drawer.failures.failures), name: "failed changes of socks", clock: clock,
      scheduler: scheduler)
    revision.load()
    failures.load()
  }

  // MARK: Rows

  var rows: DrawerRows { DrawerRows(drawer) }

  /// The selected row.
  var selection: DrawerRows.Row? { selection(in: rows) }

  /// The selected one of these rows.
  func selection(in rows: DrawerRows) -> DrawerRows.Row? {
    rows.row(of: added.flatMap { arrival($0, in: rows) } ?? anchor)
  }

  /// Where a sock is that was added: also where its page has not come yet.
  private func arrival(_ id: Sock.ID, in rows: DrawerRows) -> DrawerRows.Anchor? {
    rows.anchor(.sock(id)) ?? drawer.place(ofAdded: id).flatMap { rows.anchor(.place($0)) }
  }

  func select(_ id: DrawerRows.ID) { select(id, in: rows) }

  /// Selects one of the rows on the screen.
  func select(_ id: DrawerRows.ID, in rows: DrawerRows) {
    let before = offers
    anchor = rows.anchor(id) ?? anchor
    added = nil
    moves += 1
    if preview.isShown { preview.load(Self.resting(id), .restart, cause: .inputChanged) }
    if offers != before { turns += 1 }
  }

  /// The selected row, as what is selected: another one when the row has gone or moved.
  var selectionAnchor: DrawerRows.Anchor? { selection.flatMap { rows.anchor($0.id) } }

  /// Holds on to the sock that is selected now, when rows have come or gone.
  func settleSelection() { anchor = selectionAnchor ?? anchor }

  /// What there is of a row: the sock as it is now, and what is going on with it.
  func content(of row: DrawerRows.Row) -> DrawerRow? {
    row.arrival ?? row.place.flatMap { drawer.row(at: $0).value }
  }

  /// The sock that keys are about: the one of the detail view, or else the selected one; not one
  /// that is not in the drawer yet.
  var current: DrawerRow? {
    guard let openSock else {
      return selection?.place.flatMap { drawer.row(at: $0).value }
    }
    return drawer.sock(openSock).latestValue.map {
      DrawerRow(sock: $0, state: drawer.state(of: openSock))
    }
  }

  /// What is read out of the sock that keys are about.
  ///
  /// A view that reads it is rebuilt with each move to another row.
  var spoken: String {
    _ = moves
    return current?.spoken ?? ""
  }

  /// What could not be kept where the user is: changes of a sock, or the sock itself.
  var failed: DrawerRow? {
    let row = openSock == nil ? selection?.arrival ?? current : current
    guard let row, case .failed = row.state else { return nil }
    return row
  }

  /// What can be done about the sock that keys are about.
  struct Offers: Equatable {
    /// Whether there is a sock in the list to do something with.
    var changes = false
    var undoes = false
    var isMarking = false
    var hasFailed = false
    var removes = false
    var edits = false
    var findsPartner = false
    var unpairs = false
  }

  /// What keys can do where the user is.
  ///
  /// A view that reads it is rebuilt when it changes, and not with each move to another row.
  var offers: Offers {
    _ = turns
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

  /// Whether there is something to change: a sock, or what was typed of one that was not kept.
  var canEdit: Bool { current != nil || failedArrival != nil }

  func edit() {
    if let failedArrival {
      form = SockForm(repeating: failedArrival)
    } else {
      form = current.map { SockForm(of: $0.sock) }
    }
  }

  private var failedArrival: Sock? {
    guard let failed, selection?.arrival?.id == failed.id else { return nil }
    return failed.sock
  }

  /// Keeps what was typed and closes the form, unless a sock cannot be like that.
  func submit() {
    guard let form, let edits = form.edits() else { return }
    self.form = nil
    if let sock = form.sock {
      if !edits.isEmpty {
        let fields = Set(edits.map(\.field))
        undoing.note([.edit(sock.id, sock.edits.filter { fields.contains($0.field) })])
        drawer.edit(sock.id, edits)
      }
    } else {
      let draft = form.draft(edits)
      drawer.add(draft)
      undoing.note([.remove(draft.id)])
      added = draft.id
      turns += 1
    }
  }

  // MARK: Looking

  func open(_ sock: Sock.ID) { openSock = sock }

  /// Looks for the other one of a single sock.
  func findPartner() { partnersOf = current?.sock }

  func reload() {
    drawer.refresh()
    thumbnails.forEach { _, thumbnail in
      if thumbnail.currentFailure != nil { thumbnail.retry() }
    }
  }

  // MARK: Which socks

  /// Lists what is looked for.
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
    // Nothing to look for is answered at once: it is how the whole list comes back.
    let loader = Loader<String>.constant(text)
    return text.isEmpty ? loader : loader.debounced(for: .milliseconds(150))
  }

  private static func resting(_ id: DrawerRows.ID) -> Loader<DrawerRows.ID?> {
    Loader.constant(id).debounced(for: .milliseconds(100))
  }

  private static func gathering(
    _ failures: AsyncStream<FailedMutation>
  ) -> Loader<[NumberedFailure]> {
    Loader { _, output in
      var newest: [NumberedFailure] = []
      var number = 0
      for await failure in failures {
        number += 1
        newest = newest.suffix(63) + [NumberedFailure(number: number, failure: failure)]
        output.yield(newest)
      }
      return newest
    }
  }
}

/// A change that could not be kept, with its place in the order of all of them.
struct NumberedFailure: Sendable {
  let number: Int
  let failure: FailedMutation
}
