import Loading
import TerminalUI

extension View {
  /// Adds a toast for each change of `resource` that could not be stored, from which the user can
  /// retry or dismiss it; the view shows `toasts` itself.
  ///
  /// - Parameter loss: returns what was not stored, as a sentence to say before the reason.
  func failedChanges<Value>(
    of resource: Resource<Value>, in toasts: ToastQueue,
    loss: @escaping @MainActor (PendingMutation.ID) -> String? = { _ in nil }
  ) -> some View {
    FailedChangesView(content: AnyView(self), resource: resource, toasts: toasts, loss: loss)
  }
}

private struct FailedChangesView<Value: Sendable>: View {
  let content: AnyView
  let resource: Resource<Value>
  let toasts: ToastQueue
  let loss: @MainActor (PendingMutation.ID) -> String?
  @Environment(\.describeError) private var describe

  var body: some View {
    let failed = resource.failedMutations
    // Looks at all of them, not only at the newest: two may fail between two frames.
    content.onChange(of: failed.map(\.id)) { before, _ in
      for mutation in failed where !before.contains(mutation.id) {
        let words = [loss(mutation.id), describe(mutation.error).what].compactMap(\.self)
        toasts.show(words.joined(separator: " "), about: mutation)
      }
    }
  }
}
