import Articles
import Foundation
import Loading
import Socks
import TerminalUI

extension Loader<DrawerModel> {
  /// Opens the drawer in the data directory; the first time, creates it with the bundled socks.
  static func drawer(
    in settings: Settings, pictures: PictureSupply, scheduler: LoadScheduler
  ) -> Loader {
    Loader { _ in
      let store = try EmbeddedSockStore(
        directory: settings.dataDirectory, bundled: BundledDrawer.socks)
      let (journal, unread) = openJournal(in: settings.dataDirectory)
      let model = await DrawerModel(
        store, journal: journal, pictures: pictures, scheduler: scheduler)
      await model.resumeChanges(unread: unread)
      return model
    }
  }
}

/// Opens the journal, without which changes are committed directly.
private func openJournal(in directory: String) -> (DrawerJournal?, UnreadSockChanges?) {
  let mayHaveChanges = access("\(directory)/socks-outbox.sqlite", F_OK) == 0
  do throws(SockError) {
    return (try DrawerJournal(directory: directory), nil)
  } catch {
    // Another program has it open, and sends the changes in it.
    if case .store(.locked) = error { return (nil, nil) }
    return (nil, mayHaveChanges ? UnreadSockChanges(error) : nil)
  }
}

extension DrawerModel: UnsavedChanges {
  var isSaving: Bool { drawer.isSaving }

  func finishSaving() async -> [String] {
    await drawer.finish().map { failure in
      failure.reason is CancellationError
        ? failure.what : "\(failure.what) \(UserMessage(failure.reason).what)"
    }
  }
}

extension View {
  /// Keeps an open drawer up to date with changes from other processes, and reports failed changes,
  /// whatever is on the screen.
  func following(_ model: DrawerModel?, toasts: ToastQueue) -> some View {
    DrawerFollowing(content: AnyView(self), model: model, toasts: toasts)
  }
}

private struct DrawerFollowing: View {
  let content: AnyView
  let model: DrawerModel?
  let toasts: ToastQueue
  @Environment(\.describeError) private var describe

  var body: some View {
    let failures = model?.failures.latestValue ?? []
    content
      .onChange(of: model?.changes.latestValue?.last?.number) { model?.drawer.refresh() }
      .onChange(of: model.map(ObjectIdentifier.init), initial: true) {
        if let unread = model?.unreadChanges { toasts.show(describe(unread).whole) }
      }
      .onChange(of: failures.last?.number ?? 0) { before, _ in
        for numbered in failures where numbered.number > before {
          let failure = numbered.event
          model?.unmark(after: failure)
          let sock = (failure.error as? SockChangeFailure)?.sock.id
          // The detail view of a sock shows its failures itself.
          toasts.show(
            describe(failure.error).whole, about: failure,
            while: { sock == nil || model?.openSock != sock })
        }
      }
  }
}
