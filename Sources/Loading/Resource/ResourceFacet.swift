import Observation

/// The parts of a resource that are observed separately, so that a view that shows the value is
/// not drawn again for each step of a reload's progress.
///
/// A stand-in for the resource in the eyes of its registrar: a key path into a generic type is
/// made anew at every use, one into this type only once.
final class ResourceFacet: Observable, Sendable {
  static let subject = ResourceFacet()

  /// The state, the latest values and errors.
  let content = 0
  let isLoading = 0
  /// What runs, and everything that changes with it.
  let activity = 0
  let mutations = 0
  let history = 0
}

extension ObservationRegistrar {
  /// Tells the observers of a facet that it has changed.
  func note(_ facet: KeyPath<ResourceFacet, Int>) {
    withMutation(of: ResourceFacet.subject, keyPath: facet) {}
  }
}

/// Enough of a resource's truth to see what an event changed without comparing values.
struct ResourceSignature: Equatable {
  let valueVersion: Int
  let mutationVersion: Int
  let hasContent: Bool
  let failureCount: Int?
  let wasCancelled: Bool
  let ticket: LoadTicket?
  let phase: LoadPhase?
  let attempt: Int?
  let progress: LoadingProgress?

  var isLoading: Bool { phase.map { $0 != .live } ?? false }

  private var showsLoading: Bool { kind == .loading }

  /// The case of the state that views switch over.
  var kind: LoadingKind {
    if hasContent { return .loaded }
    if isLoading { return .loading }
    return failureCount == nil ? .idle : .failed
  }

  /// Whether the projection that views switch over is another one.
  func showsOtherState(than other: ResourceSignature) -> Bool {
    valueVersion != other.valueVersion || hasContent != other.hasContent
      || failureCount != other.failureCount || showsLoading != other.showsLoading
      || showsLoading && progress != other.progress
  }
}

/// The case of a ``LoadingState``.
enum LoadingKind {
  case idle, loading, failed, loaded
}

extension ResourceState {
  var signature: ResourceSignature {
    ResourceSignature(
      valueVersion: log.version, mutationVersion: mutationVersion, hasContent: hasContent,
      failureCount: failure?.failureCount, wasCancelled: wasCancelled, ticket: activity?.ticket,
      phase: activity?.phase, attempt: activity?.attempt, progress: activity?.progress)
  }
}
