import Observation

/// Sees everything that happens to the resources of a program: for a log, for metrics or an inspector.
///
/// It sees the resources that are made with a scheduler that it observes, and does not keep them alive.
/// Loads that run without a resource have no name, and are not seen.
///
/// ```swift
/// let observer = LoadingObserver { report in
///   print(report.name, report.record.event, report.record.elapsed ?? .zero)
/// }
/// let scheduler = LoadScheduler.concurrent.observed(by: observer)
/// let feeds = Resource(loader, name: "feeds", scheduler: scheduler)
/// ```
///
/// It is `Observable`: a view that reads ``resources`` or ``timeline`` is drawn again when something
/// happens to one of them.
@MainActor
@Observable
public final class LoadingObserver {
  /// Something that happened to a named resource.
  public struct Report: Sendable {
    /// The name of the resource.
    public let name: String
    /// What happened, to which load, and when.
    public let record: LoadingObserver.Record
  }

  @ObservationIgnored private let observe: (@MainActor (Report) -> Void)?
  @ObservationIgnored private var reports: Ring<Report>
  @ObservationIgnored private var seen: [Seen] = []
  /// How many were alive when those that were gone were removed last.
  @ObservationIgnored private var kept = 0
  private var version = 0

  private struct Seen {
    weak var resource: (any ObservedResource)?
  }

  /// - Parameters:
  ///   - capacity: how many reports ``timeline`` keeps.
  ///   - observe: called on the main actor, in order, after each event; it must not load or change
  ///     anything.
  public init(capacity: Int = 256, _ observe: (@MainActor (Report) -> Void)? = nil) {
    reports = Ring(capacity: capacity)
    self.observe = observe
  }

  /// What has happened, oldest first, as far as it is kept.
  public var timeline: [Report] {
    _ = version
    return reports.elements
  }

  /// The resources that there are, in the order in which they were made.
  public var resources: [Resource<any Sendable>.Snapshot] {
    _ = version
    return seen.compactMap { $0.resource?.erasedSnapshot }
  }

  /// Loads a resource again, as if the user had reloaded it there.
  public func reload(_ id: ObjectIdentifier) {
    resource(id)?.load()
  }

  /// Has a resource show another state, to see what the program makes of it; ``reload(_:)`` brings back
  /// what there is.
  ///
  /// A load that runs is stopped. Nothing happens to a resource without a loader, which could not be
  /// loaded again, or with changes that are not stored yet, which `idle` would take back.
  public func force(_ state: LoadingState<Never>, on id: ObjectIdentifier) {
    resource(id)?.force(state)
  }

  private func resource(_ id: ObjectIdentifier) -> (any ObservedResource)? {
    seen.lazy.compactMap(\.resource).first { ObjectIdentifier($0) == id }
  }

  /// How many resources are remembered, those that have gone since included.
  var seenCount: Int { seen.count }

  /// Takes note of a resource, without telling observers: it may be made while a view is drawn.
  func add(_ resource: any ObservedResource) {
    if seen.count >= 2 * kept + 32 {
      seen.removeAll { $0.resource == nil }
      kept = seen.count
    }
    seen.append(Seen(resource: resource))
  }

  func note(_ records: [LoadingObserver.Record], of name: String) {
    guard !records.isEmpty else { return }
    for record in records {
      let report = Report(name: name, record: record)
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
