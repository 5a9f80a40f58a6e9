import Loading
import TerminalUI

extension View {
  /// Shows each change of `resource` that could not be stored as a toast, from which the user can
  /// retry or dismiss it.
  func failedChanges<Value>(of resource: Resource<Value>, in toasts: ToastQueue) -> some View {
    FailedChangesView(content: self, resource: resource, toasts: toasts)
  }
}

private struct FailedChangesView<Content: View, Value: Sendable>: View {
  let content: Content
  let resource: Resource<Value>
  let toasts: ToastQueue
  @Environment(\.describeError) private var describe

  var body: some View {
    let failed = resource.failedMutations
    // Looks at all of them, not only at the newest: two may fail between two frames.
    content.onChange(of: failed.map(\.id)) { before, _ in
      for mutation in failed where !before.contains(mutation.id) {
        toasts.show(
          describe(mutation.error).what, retry: { resource.retryMutation(mutation.id) },
          onDismiss: { resource.dismissMutation(mutation.id) },
          while: { resource.failedMutations.contains { $0.id == mutation.id } })
      }
    }
    .toasts(toasts)
  }
}
