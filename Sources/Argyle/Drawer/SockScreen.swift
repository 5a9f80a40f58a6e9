import Loading
import Socks
import TerminalUI

/// One sock, with its picture beside it where there is room.
struct SockScreen: View {
  let model: DrawerModel
  let id: Sock.ID
  let days: DayText

  /// From this size on there is room for a picture beside a slider.
  private static let sizeForPicture = Size(width: 66, height: 8)

  var body: some View {
    let sock = model.drawer.sock(id)
    GeometryReader { size in
      AsyncContentView(
        sock, item: id, spacing: SockDrawer.sogginessSpacing,
        commit: model.drawer.sogginessCommit
      ) { $sock in
        VStack(alignment: .leading) {
          SockTitle(model: model, sock: sock)
          HStack(alignment: .top, spacing: 2) {
            if size.width >= Self.sizeForPicture.width, size.height >= Self.sizeForPicture.height {
              SockPictureView(pictures: model.pictures, sock: sock)
                .frame(width: min(60, size.width * 2 / 5))
            }
            ScrollView {
              SockFacts(model: model, sock: $sock, days: days, width: size.width)
            }
          }
          .padding(.top, size.height >= Self.sizeForPicture.height ? 1 : 0)
        }
      }
      .placeholder(.sample)
      .padding(.horizontal, size.width >= Self.sizeForPicture.width ? 1 : 0)
    }
    .onKeyPress(action: .soggier, inFooter: false) { model.changeSogginess(by: 1) }
    .onKeyPress(action: .drier, inFooter: false) { model.changeSogginess(by: -1) }
    .sockKeys(model)
    .onKeyPress(action: .otherSock, when: sock.latestValue?.pair != nil) {
      if let pair = sock.latestValue?.pair { model.open(pair) }
    }
    // What failed in here is retried by its own key, before the drawer's does anything.
    .focusSection("The sock")
    // When it is out of the drawer there is nothing left to look at.
    .onChange(of: isGone(sock)) { _, isGone in if isGone { model.openSock = nil } }
  }

  private func isGone(_ sock: Resource<Sock>) -> Bool {
    if case SockError.noSuchSock? = sock.currentFailure?.error {
      sock.latestValue != nil
    } else {
      false
    }
  }
}

/// What a sock is called, and what is going on with it.
private struct SockTitle: View {
  let model: DrawerModel
  let sock: Sock

  var body: some View {
    let state = model.drawer.state(of: sock.id)
    HStack {
      name(state).lineLimit(1).paneTitle()
        .frame(maxWidth: .infinity, alignment: .leading)
      SockStatus(state: state, clock: model.clock)
    }
  }

  private func name(_ state: DrawerRow.State) -> Text {
    switch state {
    case .removable, .removing: Text(sock.name).strikethrough()
    default: Text(sock.name)
    }
  }
}

/// Everything that is known of a sock; how soggy it is can be changed.
private struct SockFacts: View {
  let model: DrawerModel
  @Binding var sock: Sock
  let days: DayText
  let width: Int
  @Environment(\.isPlain) private var isPlain

  /// What a slider with its line needs, beside a scroll bar.
  private static let widthForSlider = 36

  var body: some View {
    VStack(alignment: .leading) {
      FailedSockChanges(model: model, sock: sock)
      Slider(
        "Sogginess", value: $sock.sogginess, in: Sock.sogginessRange, step: Sogginess.step
      )
      .defaultFocus()
      // Where there is no room for the line, the number is all of it.
      .environment(\.isPlain, isPlain || width < Self.widthForSlider)
      .padding(.bottom)
      fact("Pattern", sock.pattern)
      fact("Colour", sock.colour)
      HStack {
        label("Pair")
        if let pair = sock.pair {
          PairLink(model: model, pair: pair)
        } else {
          Text("none").foregroundStyle(\.secondary)
        }
      }
      fact("Added", days.full(sock.created))
      fact("Changed", days.full(sock.changed))
      if !sock.notes.isEmpty { Text(sock.notes).padding(.top) }
    }
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

/// The other one of a pair, by name.
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
    .failure { _, _ in Text("✗ It could not be loaded.").foregroundStyle(\.failure).lineLimit(1) }
    .loadingViewStyle(afterValue: LoadingViewStyle.none)
    .environment(\.loadingViewOptions.isPart, true)
    .frame(height: 1)
  }
}

/// The changes of a sock that could not be kept, and what can be done about them.
private struct FailedSockChanges: View {
  let model: DrawerModel
  let sock: Sock
  @Environment(\.describeError) private var describe

  var body: some View {
    let failed = model.drawer.sock(sock.id).failedMutations
    if !failed.isEmpty {
      VStack(alignment: .leading) {
        ForEach(failed, id: \.id) { mutation in
          Text("✗ ").bold().foregroundStyle(\.failure) + Text(describe(mutation.error).whole).bold()
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
