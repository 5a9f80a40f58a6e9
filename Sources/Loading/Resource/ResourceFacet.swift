import Observation

/// The parts of a resource that are observed separately, so that a view that shows only the value
/// is not drawn again for each step of a reload's progress.
struct ResourceFacets: OptionSet {
  let rawValue: UInt8

  /// The state, the latest values and errors.
  static let content = ResourceFacets(rawValue: 1)
  static let isLoading = ResourceFacets(rawValue: 2)
  /// The running load, and everything that changes with it.
  static let activity = ResourceFacets(rawValue: 4)
  static let mutations = ResourceFacets(rawValue: 8)
  static let history = ResourceFacets(rawValue: 16)
  static let progress = ResourceFacets(rawValue: 32)
}

/// Stands for every resource in its observation registrar: a key path into a generic type would be
/// created at each use, one into this type is created once.
final class ObservedFacets: Observable, Sendable {
  static let shared = ObservedFacets()
  private let content = 0
  private let isLoading = 0
  private let activity = 0
  private let mutations = 0
  private let history = 0
  private let progress = 0

  static func keyPath(_ facet: ResourceFacets) -> KeyPath<ObservedFacets, Int> {
    switch facet {
    case .content: \.content
    case .isLoading: \.isLoading
    case .activity: \.activity
    case .mutations: \.mutations
    case .progress: \.progress
    default: \.history
    }
  }
}

/// A summary of a resource's state, which shows what an event changed without comparing values.
struct ResourceSignature: Equatable {
  let valueVersion: Int
  /// Counts how often the confirmed value was replaced or removed as a whole.
  let arrivals: Int
  let mutationVersion: Int
  let hasContent: Bool
  let failureCount: Int?
  let wasCancelled: Bool
  let ticket: LoadActivity.Ticket?
  let isLoading: Bool
  let activityVersion: UInt32
  var progressVersion: UInt32

  private var showsLoading: Bool { kind == .loading }

  /// The case of ``Resource/state``.
  var kind: LoadingKind {
    if hasContent { return .loaded }
    if isLoading { return .loading }
    return failureCount == nil ? .idle : .failed
  }

  /// Returns whether anything but the progress is different.
  func differsBeyondProgress(from other: ResourceSignature) -> Bool {
    var aligned = self
    aligned.progressVersion = other.progressVersion
    return aligned != other
  }

  /// Returns whether ``Resource/state`` is different.
  func showsOtherState(than other: ResourceSignature) -> Bool {
    valueVersion != other.valueVersion || hasContent != other.hasContent
      || failureCount != other.failureCount || showsLoading != other.showsLoading
      || showsLoading && progressVersion != other.progressVersion
  }
}

/// The case of a ``LoadingState``.
enum LoadingKind {
  case idle, loading, failed, loaded
}

extension ResourceState {
  var signature: ResourceSignature {
    ResourceSignature(
      valueVersion: log.patches.version, arrivals: log.patches.arrivals,
      mutationVersion: mutationVersion,
      hasContent: hasContent, failureCount: failure?.failureCount, wasCancelled: wasCancelled,
      ticket: runningTicket,
      isLoading: isLoading, activityVersion: activityVersion, progressVersion: progressVersion)
  }
}
