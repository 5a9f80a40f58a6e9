import Loading
import Socks
import TerminalUI

/// All changes of socks that are not kept yet, or could not be, whichever sock is selected.
struct ChangeSheet: View {
  let model: DrawerModel
  @State private var selected: String?

  private static let (width, height) = (64, 14)

  var body: some View {
    let changes = model.drawer.changes
    let current = changes.first { $0.id == selected } ?? changes.first
    VStack(alignment: .leading) {
      if changes.isEmpty {
        Text("All changes are saved.").focusable()
      } else {
        List(changes, selection: $selected) { ChangeRow(change: $0) }
          .frame(height: min(changes.count, Self.height)).defaultFocus()
      }
    }
    .frame(width: Self.width, alignment: .leading)
    .onKeyPress(action: .retrySock, when: current?.hasFailed == true) {
      if let current { model.drawer.retryFailedChanges(of: current.sock.id) }
    }
    .onKeyPress(action: .forgetSockChange, when: current?.hasFailed == true) {
      if let current { model.drawer.dismissFailedChanges(of: current.sock.id) }
    }
  }
}

/// What of a sock is changed, and how far that has come.
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
      case .failed(let error):
        Text("✗ \(describe((error as? SockChangeFailure)?.reason ?? error).what)")
          .foregroundStyle(\.failure).lineLimit(1)
      }
    }
  }
}

extension DrawerChange {
  fileprivate var hasFailed: Bool { if case .failed = phase { true } else { false } }

  /// What of a sock it changes.
  fileprivate var word: String {
    switch change {
    case .sogginess: "sogginess"
    case .fields: "edit"
    case .pair: "pair"
    case .addition: "new"
    case .removal: "removal"
    }
  }
}
