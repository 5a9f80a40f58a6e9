import Loading
import Socks
import TerminalUI

/// One sock, with its picture beside it if there is room.
struct SockScreen: View {
  let model: DrawerModel
  let id: Sock.ID
  let days: DayText
  @Environment(\.isPlain) private var isPlain

  var body: some View {
    let resource = model.drawer.sock(id)
    GeometryReader { size in
      AsyncContentView(
        resource, item: id, throttle: SockDrawer.sogginessThrottle,
        commit: model.drawer.sogginessCommit
      ) { $sock in
        SockDetail(model: model, sock: $sock, days: days, size: size, resource: resource)
      }
      .placeholder(.sample)
      // The title shows reloads: an indicator over it would cover the word for a change.
      .loadingViewStyle(afterValue: .hidden)
      .accessibilityLabel("Sock")
      .padding(.horizontal, SockDetail.hasRoomForPicture(size) ? 1 : 0)
    }
    .onKeyPress(action: .soggier, footer: .ifRoom) { model.changeSogginess(by: 1) }
    .onKeyPress(action: .drier, footer: .ifRoom) { model.changeSogginess(by: -1) }
    .sockKeys(model)
    .onKeyPress(action: .otherSock, when: resource.latestValue?.pair != nil) {
      if let pair = resource.latestValue?.pair { model.open(pair) }
    }
    // Plain mode announces what a key changed.
    .announced(isPlain ? model.spoken : "")
    // A failure in this section is retried with the section's own key, before the drawer's keys
    // apply.
    .focusSection("The sock")
    // A sock that was removed from the drawer is closed.
    .onChange(of: resource.isGone) { _, isGone in if isGone { model.openSock = nil } }
  }
}

extension Resource<Sock> {
  /// Whether the sock was removed from the drawer after it had been loaded.
  var isGone: Bool {
    if case SockError.noSuchSock? = currentFailure?.error { latestValue != nil } else { false }
  }
}

/// A sock: its name, its picture if there is room, and all of its fields.
struct SockDetail: View {
  let model: DrawerModel
  @Binding var sock: Sock
  let days: DayText
  let size: Size
  /// The resource of the open sock; nil for a preview, for which nothing is loaded.
  var resource: Resource<Sock>?
  @Environment(\.isPlain) private var isPlain

  /// From this size on, there is room for a picture beside a slider, or above it.
  private static let (sizeForPicture, widthForPicture) = (Size(width: 66, height: 8), 40)
  private static let heightForPictureAbove = 26

  private var isPreview: Bool { resource == nil }

  static func hasRoomForPicture(_ size: Size) -> Bool {
    size.width >= sizeForPicture.width && size.height >= sizeForPicture.height
  }

  var body: some View {
    let isBeside = !isPlain && Self.hasRoomForPicture(size)
    let isAbove =
      !isPlain && !isBeside && size.width >= Self.widthForPicture
      && size.height >= Self.heightForPictureAbove
    VStack(alignment: .leading) {
      SockTitle(model: model, sock: sock, resource: resource)
      if isPlain, !isPreview { SockPictureView(pictures: model.pictures, sock: sock) }
      if isAbove {
        SockPictureView(pictures: model.pictures, sock: sock).frame(height: size.height / 2)
          .padding(.top)
      }
      HStack(alignment: .top, spacing: 2) {
        if isBeside {
          SockPictureView(pictures: model.pictures, sock: sock)
            .frame(width: min(60, size.width * 2 / 5))
        }
        ScrollView {
          SockFacts(model: model, sock: $sock, days: days, isPreview: isPreview)
        }
      }
      .padding(.top, isBeside || isAbove ? 1 : 0)
    }
  }
}

/// The pane beside the list: the open sock, or else a preview of the selected one.
struct SockPane: View {
  let model: DrawerModel
  let days: DayText
  @FocusState private var isInSock: Bool

  var body: some View {
    GeometryReader { size in
      if let id = model.openSock {
        SockScreen(model: model, id: id, days: days).id(id)
          .onKeyPress(action: .back, .left, label: "list") { model.openSock = nil }
          .focusSection("The sock").focused($isInSock)
          .onAppear { isInSock = true }
          // When the focus returns to the list, keys act on the sock that is selected there.
          .onChange(of: isInSock) { wasIn, isIn in
            if wasIn, !isIn { model.openSock = nil }
          }
      } else {
        AsyncContentView(model.preview) { anchor in
          if let sock = model.previewed(anchor) {
            SockDetail(
              model: model, sock: changing(sock), days: days, size: size
            )
            // A drag or a scroll position does not go on in another sock.
            .id(sock.id)
          }
        }
        .loadingViewStyle(afterValue: .hidden)
        .accessibilityLabel("Sock")
        // A preview takes no focus: the keys stay with the list.
        .mouseOnly()
        // It may have been hidden while another row was selected.
        .onAppear { model.previewSelection() }
      }
    }
  }

  /// A binding to the selected sock whose sogginess can be changed, as by the keys of the list.
  private func changing(_ sock: Sock) -> Binding<Sock> {
    Binding(
      get: { sock }, set: { model.drawer.setSogginess(of: $0.id, to: $0.sogginess, known: sock) })
  }
}

/// The name of a sock, and its status.
private struct SockTitle: View {
  let model: DrawerModel
  let sock: Sock
  /// The resource whose reloads are shown; nil for a preview.
  let resource: Resource<Sock>?
  @Environment(\.isPlain) private var isPlain

  var body: some View {
    let state = model.drawer.state(of: sock.id)
    HStack {
      name(state).lineLimit(1).paneTitle()
        .frame(maxWidth: .infinity, alignment: .leading)
      if let resource, !state.hasSpinner { LoadingIndicator(resource) }
      SockStatus(state: state, clock: model.clock)
    }
  }

  private func name(_ state: DrawerRow.State) -> Text {
    switch state {
    case .removable, .removing: Text(sock.name).strikethrough(!isPlain)
    default: Text(sock.name)
    }
  }
}

/// All fields of a sock; the sogginess can be changed.
private struct SockFacts: View {
  let model: DrawerModel
  @Binding var sock: Sock
  let days: DayText
  let isPreview: Bool

  var body: some View {
    VStack(alignment: .leading) {
      FailedSockChanges(model: model, sock: sock)
      Slider(
        "Sogginess", value: noted, in: Sock.sogginessRange, step: Sogginess.step
      )
      .defaultFocus()
      .padding(.bottom)
      ForEach(SockField.traits, id: { $0 }) { fact($0.title, sock[$0].text) }
      HStack {
        label("Pair")
        if let pair = sock.pair {
          if let other = isPreview ? model.drawer.sock(shown: pair) : nil {
            Text(other.name).lineLimit(1)
          } else {
            PairLink(model: model, pair: pair)
          }
        } else {
          Text("none").foregroundStyle(\.secondary)
        }
      }
      fact("Added", days.full(sock.created))
      fact("Changed", days.full(sock.changed))
      if !sock.notes.isEmpty { Text(sock.notes).padding(.top) }
    }
  }

  /// A binding to the sogginess that records the old value for undo when it changes.
  private var noted: Binding<Int> {
    Binding(
      get: { sock.sogginess },
      modify: { change in
        let old = sock
        $sock.sogginess.modify { sogginess in
          let before = sogginess
          change(&sogginess)
          if sogginess != before { model.undoing.note(sogginessOf: [old], at: model.clock.now) }
        }
      })
  }

  private func label(_ text: String) -> some View {
    Text(text).foregroundStyle(\.secondary).lineLimit(1).frame(width: 9, alignment: .leading)
  }

  private func fact(_ name: String, _ value: String) -> some View {
    HStack {
      label(name)
      Text(value.isEmpty ? "–" : value).lineLimit(1)
    }
  }
}

/// The partner of a sock, by name.
private struct PairLink: View {
  let model: DrawerModel
  let pair: Sock.ID

  var body: some View {
    AsyncContentView(model.drawer.sock(pair)) { other in
      Button(hint: "open") {
        model.open(pair)
      } label: {
        Text("\(other.name) ›")
      }
    }
    .placeholder(.sample)
    .failure { _, _ in
      FailureText("It could not be loaded.").foregroundStyle(\.failure).lineLimit(1)
    }
    .loadingViewStyle(afterValue: .hidden)
    .environment(\.loadingViewOptions.isPart, true)
    .frame(height: 1)
  }
}

/// The failed changes of a sock, and the keys that retry or dismiss them.
private struct FailedSockChanges: View {
  let model: DrawerModel
  let sock: Sock
  @Environment(\.describeError) private var describe

  private var hasFailed: Bool {
    if case .failed = model.drawer.state(of: sock.id) { true } else { false }
  }

  var body: some View {
    // A sock without failures is not loaded just to find that out.
    let failed = hasFailed ? model.drawer.sock(sock.id).failedMutations : []
    if !failed.isEmpty {
      VStack(alignment: .leading) {
        ForEach(failed, id: \.id) { mutation in
          FailureText(describe(mutation.error).whole).bold()
        }
        HStack(spacing: 3) {
          KeyHint(.retrySock, "to retry")
          KeyHint(.forgetSockChange, "to discard it")
        }
      }
      .padding(.bottom)
    }
  }
}
