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
  let pictures: SockPictures
  let clock: AnyClock

  /// The sock of the detail view.
  var openSock: Sock.ID?
  /// What is being added or changed.
  var form: SockForm?
  /// The single sock whose other one is looked for.
  var partnersOf: Sock?
  /// The sock that waits for another one to be paired with.
  private(set) var pairing: Sock?
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

  private var anchor: DrawerRows.Anchor?
  // Selected as soon as it is in the list, unless somebody has gone elsewhere by then.
  private var added: Sock.ID?
  // The first change of a sock makes what its row has to look at from then on.
  private var touches = 0

  init(
    _ api: any SockAPI, pictures: SockPictures, clock: AnyClock = .terminal,
    scheduler: LoadScheduler = .terminal
  ) {
    drawer = SockDrawer(api, clock: clock, scheduler: scheduler)
    self.pictures = pictures
    self.clock = clock
    settledSearch = Resource(initialState: .loaded(""), clock: clock, scheduler: scheduler)
    revision = Resource(
      Loader(sequence: { api.changes() }), clock: clock, scheduler: scheduler)
    failures = Resource(
      Self.gathering(drawer.failures.failures), clock: clock, scheduler: scheduler)
    revision.load()
    failures.load()
  }

  // MARK: Rows

  var rows: DrawerRows {
    _ = touches
    return DrawerRows(drawer)
  }

  /// The selected row.
  var selection: DrawerRows.Row? {
    let rows = rows
    return rows.row(of: added.flatMap { rows.anchor(.sock($0)) } ?? anchor)
  }

  func select(_ id: DrawerRows.ID) {
    anchor = rows.anchor(id) ?? anchor
    added = nil
  }

  /// The selected row, as what is selected: another one when the row has gone or moved.
  var selectionAnchor: DrawerRows.Anchor? { selection.flatMap { rows.anchor($0.id) } }

  /// Holds on to the sock that is selected now, when rows have come or gone.
  func settleSelection() { anchor = selectionAnchor ?? anchor }

  /// What there is of a row: the sock as it is now, and what is going on with it.
  func content(of row: DrawerRows.Row) -> DrawerRow? {
    if let addition = row.addition { return DrawerRow(sock: addition, state: .saving) }
    return row.place.flatMap { drawer.row(at: $0).value }
  }

  /// The sock that keys are about: the one of the detail view, or else the selected one.
  var current: DrawerRow? {
    guard let openSock else {
      return selection?.place.flatMap { drawer.row(at: $0).value }
    }
    return drawer.sock(openSock).latestValue.map {
      DrawerRow(sock: $0, state: drawer.state(of: openSock))
    }
  }

  // MARK: Changing

  func changeSogginess(by steps: Int) {
    guard let sock = current?.sock else { return }
    drawer.setSogginess(of: sock.id, to: Sogginess.stepped(sock.sogginess, by: steps))
    touches += 1
  }

  func remove() {
    guard let sock = current?.sock else { return }
    drawer.remove(sock.id)
    touches += 1
  }

  /// The sock that a person wants to have back: this one, or else the one that was removed last.
  var undoable: Sock.ID? {
    _ = touches
    if let current, case .removable = current.state { return current.id }
    return drawer.latestRemoval
  }

  func undo() {
    guard let id = undoable else { return }
    drawer.undoRemoval(of: id)
  }

  func retryFailedChanges() {
    if let current { drawer.retryFailedChanges(of: current.id) }
  }

  func dismissFailedChanges() {
    if let current { drawer.dismissFailedChanges(of: current.id) }
  }

  // MARK: Pairs

  /// Marks a sock to be paired, or pairs the marked one with this one.
  func pair() {
    guard let sock = current?.sock else { return }
    if let first = pairing {
      pairing = nil
      if first.id != sock.id { pair(first.id, sock.id) }
    } else {
      pairing = sock
    }
  }

  func pair(_ first: Sock.ID, _ second: Sock.ID) {
    drawer.pair(first, with: second)
    touches += 1
  }

  func cancelPairing() { pairing = nil }

  func unpair() {
    guard let sock = current?.sock else { return }
    drawer.unpair(sock.id)
    touches += 1
  }

  // MARK: The form

  func add() { form = SockForm() }

  func edit() { form = current.map { SockForm(of: $0.sock) } }

  /// Keeps what was typed and closes the form, unless a sock cannot be like that.
  func submit() {
    guard let form, let edits = form.edits() else { return }
    self.form = nil
    if let sock = form.sock {
      if !edits.isEmpty { drawer.edit(sock.id, edits) }
    } else {
      let draft = SockDraft(edits)
      drawer.add(draft)
      added = draft.id
    }
    touches += 1
  }

  // MARK: Looking

  func open(_ sock: Sock.ID) { openSock = sock }

  /// Looks for the other one of a single sock.
  func findPartner() { partnersOf = current?.sock }

  func reload() { drawer.refresh() }

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

  private static func gathering(
    _ failures: AsyncStream<MutationFailure>
  ) -> Loader<[NumberedFailure]> {
    Loader { context in
      var newest: [NumberedFailure] = []
      var number = 0
      for await failure in failures {
        number += 1
        newest = newest.suffix(63) + [NumberedFailure(number: number, failure: failure)]
        context.yield(newest)
      }
      return newest
    }
  }
}

/// A change that could not be kept, with its place in the order of all of them.
struct NumberedFailure: Sendable {
  let number: Int
  let failure: MutationFailure
}

extension SockDraft {
  /// A new sock of what was typed.
  fileprivate init(_ edits: [SockEdit]) {
    self.init(name: "")
    for edit in edits {
      switch edit {
      case .name(let name): self.name = name
      case .picture(let picture): self.picture = picture
      case .sogginess(let sogginess): self.sogginess = sogginess
      case .pattern(let pattern): self.pattern = pattern
      case .colour(let colour): self.colour = colour
      case .notes(let notes): self.notes = notes
      }
    }
  }
}
