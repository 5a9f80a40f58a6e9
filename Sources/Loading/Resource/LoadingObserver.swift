/// Something that happened to a named resource of a program, as ``LoadScheduler/observed(by:)`` tells.
public struct LoadReport: Sendable {
  /// The name of the resource.
  public let name: String
  /// What happened, to which load, and when.
  public let record: LoadRecord
}

extension LoadScheduler {
  /// The same scheduler, which tells of everything that happens to the resources that are made with
  /// it: for a log, for metrics or an inspector.
  ///
  /// Resources have the name that they are given. Loads that run without a resource have none, and
  /// are not told of.
  ///
  /// ```swift
  /// let scheduler = LoadScheduler.concurrent.observed { report in
  ///   print(report.name, report.record.event, report.record.elapsed ?? .zero)
  /// }
  /// let feeds = Resource(loader, name: "feeds", scheduler: scheduler)
  /// ```
  ///
  /// - Parameter observe: called on the main actor, in order, after each event; it must not load or
  ///   change anything.
  public func observed(by observe: @escaping @MainActor (LoadReport) -> Void) -> LoadScheduler {
    LoadScheduler(self, observer: observe)
  }
}
