import Loading
import Socks
import TerminalUI

/// The drawer: the list of socks, or the open sock.
struct DrawerScreen: View {
  let model: DrawerModel
  let days: DayText

  @Environment(\.isPlain) private var isPlain

  /// From this width on, a sock is shown beside the list.
  private static let widthForBoth = 120
  private static let widestList = 96

  var body: some View {
    GeometryReader { size in
      let isWide = !isPlain && size.width >= Self.widthForBoth
      HStack(alignment: .top, spacing: 0) {
        DrawerListScreen(model: model)
          .frame(width: isWide ? min(size.width / 2, Self.widestList) : size.width)
        if isWide {
          Divider(.vertical).padding(.horizontal)
          SockPane(model: model, days: days)
        }
      }
      .navigationDestination(item: destination(isShown: !isWide)) { id in
        SockScreen(model: model, id: id, days: days)
      }
      .sheet(isPresented: Binding(model, \.showsChanges), title: "Changes") {
        ChangeSheet(model: model)
      }
      .sheet(isPresented: isEditing, title: model.form?.title, closeLabel: "cancel") {
        if let form = model.form {
          SockFormView(model: model, form: form)
        }
      }
      .sheet(isPresented: isFinding, title: "Find a partner") {
        if let sock = model.partnersOf {
          PartnerSheet(model: model, sock: sock)
        }
      }
    }
    .onKeyPress(action: .showChanges, footer: .ifRoom) { model.showsChanges = true }
    .onKeyPress(action: .reload, footer: .ifRoom) { model.reload() }
  }

  private func destination(isShown: Bool) -> Binding<Sock.ID?> {
    Binding(
      get: { isShown ? model.openSock : nil }, set: { if $0 == nil { model.openSock = nil } })
  }

  private var isEditing: Binding<Bool> {
    Binding(get: { model.form != nil }, set: { if !$0 { model.form = nil } })
  }

  private var isFinding: Binding<Bool> {
    Binding(get: { model.partnersOf != nil }, set: { if !$0 { model.partnersOf = nil } })
  }
}

/// The list with a title above it.
private struct DrawerListScreen: View {
  let model: DrawerModel
  @Environment(\.isPlain) private var isPlain
  @FocusState private var isSearching: Bool
  @State private var hasSearchField = false

  /// From this height on, there is room for a title.
  private static let heightForTitle = 6

  var body: some View {
    GeometryReader { size in
      VStack(alignment: .leading) {
        if let first = model.pairing {
          PairingLine(sock: first, width: size.width)
        } else if size.height >= Self.heightForTitle {
          DrawerTitle(model: model)
        }
        if showsSearch { searchField }
        keys(DrawerList(model: model)).focusSection("Socks")
      }
    }
    // Plain mode announces what a key selected or changed.
    .announced(isPlain ? model.spoken : "")
    .onChange(of: model.settledSearch.latestValue) { _, text in model.search(for: text ?? "") }
  }

  private var showsSearch: Bool { hasSearchField || !model.searchText.isEmpty }

  private var searchField: some View {
    HStack {
      Text("/").bold().foregroundStyle(\.accent)
      TextField("name, pattern, colour or notes", text: Binding(model, \.searchText))
        .focused($isSearching)
        .onSubmit { leaveSearch() }
    }
    .onKeyPress(action: .down, label: "to the list") { leaveSearch() }
    .onKeyPress(action: .back, label: "all socks") { endSearch() }
  }

  private func search() {
    hasSearchField = true
    isSearching = true
  }

  private func leaveSearch() {
    isSearching = false
    hasSearchField = false
  }

  private func endSearch() {
    model.searchText = ""
    leaveSearch()
  }

  private func keys(_ list: some View) -> some View {
    let offers = model.offers
    return
      list
      // Bound first, so that the footer begins with the keys that end the pairing.
      .onKeyPress(action: .pairSock, label: "pair with it", when: model.pairing != nil) {
        model.pair()
      }
      .onKeyPress(action: .back, label: "cancel pairing", when: model.pairing != nil) {
        model.cancelPairing()
      }
      .onKeyPress(action: .soggier, .right, when: offers.changes) {
        model.changeSogginess(by: 1)
      }
      .onKeyPress(action: .drier, .left, when: offers.changes) { model.changeSogginess(by: -1) }
      .sockKeys(model)
      .onKeyPress(action: .addSock) { model.add() }
      .onKeyPress(action: .search, label: "filter") { search() }
      // A pair is made of the selected sock, whichever are marked.
      .onKeyPress(
        action: .pairSock, label: offers.isMarking ? "pair this one" : nil,
        when: model.pairing == nil && offers.changes
      ) {
        model.pair()
      }
      .onKeyPress(action: .markSock, footer: .ifRoom, when: offers.changes) { model.toggleMark() }
      .onKeyPress(action: .back, label: "unmark all", when: offers.isMarking) {
        model.unmarkAll()
      }
      .onKeyPress(action: .sortSocks) { model.nextOrder() }
      .onKeyPress(action: .reverseSocks, footer: .ifRoom) { model.reverseOrder() }
      .onKeyPress(action: .back, label: "all socks", when: !model.searchText.isEmpty) {
        endSearch()
      }
  }
}

extension View {
  /// Binds the keys that act on one sock, both in the list and in the detail view.
  func sockKeys(_ model: DrawerModel) -> some View {
    let offers = model.offers
    return
      self
      .onKeyPress(action: .undo, when: offers.undoes) { model.undo() }
      .onKeyPress(action: .retrySock, when: offers.hasFailed) { model.retryFailedChanges() }
      .onKeyPress(action: .forgetSockChange, when: offers.hasFailed) {
        model.dismissFailedChanges()
      }
      .onKeyPress(action: .removeSock, when: offers.removes) { model.remove() }
      .onKeyPress(action: .editSock, when: offers.edits) { model.edit() }
      .onKeyPress(action: .findPartner, when: offers.findsPartner) { model.findPartner() }
      .onKeyPress(action: .unpairSock, when: offers.unpairs) { model.unpair() }
  }
}

extension DrawerRow {
  /// Whether no change of the sock is pending or has failed.
  var isSettled: Bool { if case .settled = state { true } else { false } }

  /// Whether the sock is not being removed.
  var isHere: Bool {
    switch state {
    case .removable, .removing: false
    case .changed, .saving, .failed, .saved, .settled: true
    }
  }
}

/// The number of socks, the filter and the order.
private struct DrawerTitle: View {
  let model: DrawerModel

  var body: some View {
    let count = model.drawer.list.count
    HStack {
      if let number = model.drawer.listing.count {
        Text(counted(number, "sock")).paneTitle()
      } else {
        Text("Socks").paneTitle()
      }
      Text(model.drawer.query.order.words).foregroundStyle(\.secondary)
      if !model.marked.isEmpty {
        Text("· \(model.marked.count) marked").foregroundStyle(\.accent)
      }
      Spacer()
      LoadingIndicator(count)
    }
    .lineLimit(1)
  }
}

/// The first sock of a pair, and how to choose the second.
private struct PairingLine: View {
  let sock: Sock
  let width: Int

  /// From this width on, a name of twelve columns fits into the whole sentence.
  private static let widthForSentence = 55

  var body: some View {
    HStack {
      HStack(spacing: 0) {
        let begin = Text("◆ ").foregroundStyle(\.accent) + Text("Pair “")
        if width < Self.widthForSentence {
          begin + Text("\(sock.name)”")
        } else {
          // Only the name is shortened.
          begin.layoutPriority(1)
          Text(sock.name)
          Text("” with another sock:").layoutPriority(1)
        }
      }
      KeyHint(.pairSock, "on that one", aboutScreen: true).layoutPriority(1)
    }
    .lineLimit(1)
  }
}
