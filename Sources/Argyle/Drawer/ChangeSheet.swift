import Loading
import Socks
import TerminalUI

/// A sheet with every change of a sock that is pending or has failed, whichever sock is selected.
struct ChangeSheet: View {
  let model: DrawerModel
  @State private var selected: String?

  private static let width = 64
  private static let height = 14

  var body: some View {
    let changes = model.drawer.changes
    let current = changes.first { $0.id == selected } ?? changes.first
    VStack(alignment: .leading) {
      if changes.isEmpty {
        Text("All changes are saved.").focusable()
      } else {
        List(changes, selection: $selected) { ChangeRow(change: $0) }
          .frame(maxHeight: min(changes.count, Self.height)).defaultFocus()
      }
    }
    .frame(idealWidth: Self.width, maxWidth: .infinity, alignment: .leading)
    .onKeyPress(action: .retrySock, when: current?.failure?.retry != nil) {
      current?.failure?.retry?()
    }
    .onKeyPress(action: .forgetSockChange, when: current?.failure != nil) {
      current?.failure?.dismiss()
    }
  }
}

/// A row with what a change does to a sock, and its state.
private struct ChangeRow: View {
  let change: DrawerChange
  @Environment(\.describeError) private var describe

  var body: some View {
    HStack {
      Text(change.sock.name).lineLimit(1).frame(maxWidth: .infinity, alignment: .leading)
      Text(change.word).foregroundStyle(\.secondary).lineLimit(1)
      switch change.phase {
      case .waiting: Text("waiting").foregroundStyle(\.warning)
      case .saving: ProgressView("saving")
      case .failed(let failure):
        let reason = (failure.error as? SockChangeFailure)?.reason ?? failure.error
        FailureText(describe(reason).what)
          .foregroundStyle(\.failure).lineLimit(1)
      }
    }
  }
}

extension DrawerChange {
  fileprivate var failure: FailedMutation? {
    if case .failed(let failure) = phase { failure } else { nil }
  }

  /// What the change does, in a word.
  fileprivate var word: String {
    switch part {
    case .sogginess: "sogginess"
    case .fields: "edit"
    case .pair: "pair"
    case .addition: "new"
    case .removal: "removal"
    }
  }
}
