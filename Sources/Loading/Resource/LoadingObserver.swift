import Observation

/// Observes everything that happens to the resources of a program, for logs, metrics or an
/// inspector.
///
/// It observes the resources that are created with its scheduler, without keeping them alive, and
/// each attempt of a ``MutationOutbox`` with its scheduler. Loads that run without a resource are
/// not observed.
///
/// ```swift
/// let observer = LoadingObserver { report in
///   print(report.name, report.record.event, report.record.elapsed ?? .zero)
/// }
/// let scheduler = LoadScheduler.concurrent.observed(by: observer)
/// let feeds = Resource(loader, name: "feeds", scheduler: scheduler)
/// ```
///
/// It is `Observable`: a view that reads ``resources`` or ``timeline`` is drawn again when
/// something happens to a resource.
@MainActor
@Observable
public final class LoadingObserver {
  /// An event of a resource, with the name of the resource, or of a ``MutationOutbox``, with the name
  /// of the handler.
  public struct Report: Sendable {
    /// The identity of the resource or the outbox, while it is alive.
    public let resource: ObjectIdentifier
    /// The name of the resource or the handler.
    public let name: String
    /// What happened, to which load, and when.
    public let record: LoadingObserver.Record
  }

  @ObservationIgnored private let observe: (@MainActor (Report) -> Void)?
  @ObservationIgnored private var reports: Ring<Report>
  @ObservationIgnored private var seen: [Seen] = []
  /// How many were left when released resources were last removed.
  @ObservationIgnored private var kept = 0
  private var version = 0

  private struct Seen {
    weak var resource: (any ObservedResource)?
  }

  /// Creates an observer; pass it to ``LoadScheduler/observed(by:)``.
  ///
  /// - Parameters:
  ///   - capacity: how many reports ``timeline`` keeps.
  ///   - observe: called on the main actor after each event, in order; it must not load or change
  ///     any resource.
  public init(capacity: Int = 256, _ observe: (@MainActor (Report) -> Void)? = nil) {
    reports = Ring(capacity: capacity)
    self.observe = observe
  }

  /// The newest reports, oldest first.
  public var timeline: [Report] {
    _ = version
    return reports.elements
  }

  /// The resources that are alive, in the order in which they were created.
  public var resources: [Resource<any Sendable>.Snapshot] {
    _ = version
    return seen.compactMap { $0.resource?.erasedSnapshot }
  }

  /// Loads a resource again, as if the user had reloaded it.
  public func reload(_ id: ObjectIdentifier) {
    resource(id)?.load()
  }

  /// Makes a resource show another state, to see how the program shows that; ``reload(_:)`` loads
  /// the real value again.
  ///
  /// A running load is cancelled. Resources without a loader are not changed, since they cannot be
  /// loaded again, nor are resources with pending mutations, which `idle` would make fail.
  public func force(_ state: LoadingState<Never>, on id: ObjectIdentifier) {
    resource(id)?.force(state)
  }

  private func resource(_ id: ObjectIdentifier) -> (any ObservedResource)? {
    seen.lazy.compactMap(\.resource).first { ObjectIdentifier($0) == id }
  }

  /// How many resources are remembered, including those that were released since.
  var seenCount: Int { seen.count }

  /// Adds a resource without notifying observers, since it may be created while a view is drawn.
  func add(_ resource: any ObservedResource) {
    if seen.count >= 2 * kept + 32 {
      seen.removeAll { $0.resource == nil }
      kept = seen.count
    }
    seen.append(Seen(resource: resource))
  }

  func note(_ records: [LoadingObserver.Record], of resource: ObjectIdentifier, name: String) {
    guard !records.isEmpty else { return }
    for record in records {
      let report = Report(resource: resource, name: name, record: record)
      reports.append(report)
      observe?(report)
    }
    version &+= 1
  }
}

/// A resource of any value.
@MainActor
protocol ObservedResource: AnyObject {
  var erasedSnapshot: Resource<any Sendable>.Snapshot { get }
  func load()
  func force(_ state: LoadingState<Never>)
}

extension Resource: ObservedResource {
  var erasedSnapshot: Resource<any Sendable>.Snapshot { snapshot { $0 } }

  func force(_ state: LoadingState<Never>) {
    guard truth.loader != nil, truth.log.isDrained else { return }
    switch state {
    case .idle: set(.idle)
    case .loading(let progress): set(.loading(progress))
    case .failed(let error): set(.failed(error))
    }
  }
}
