#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An error described to the user.
public struct ErrorDescription: Hashable, Sendable {
  /// What happened, in one sentence.
  public var what: String
  /// What the user can do about it, in one sentence.
  public var advice: String?
  /// Technical details, shown on demand.
  public var detail: String?
  /// The time for which a retry is refused; until it has passed, none is offered.
  public var pause: Pause?
  /// A key that shows the items that failed.
  public var lead: Lead?

  /// A time to wait before a retry is useful, as requested by a server.
  public struct Pause: Hashable, Sendable {
    /// How long to wait from now on.
    public var duration: Duration
    /// The text shown instead of the hint to retry, such as “not before 14:20”.
    public var words: String

    /// Creates a pause that begins now, with a text that names its end.
    public init(_ duration: Duration, _ words: String) {
      self.duration = duration
      self.words = words
    }
  }

  /// The pause, unless it is over.
  public var pauseLeft: Pause? { pause.flatMap { $0.duration > .zero ? $0 : nil } }

  /// A key that shows the items that failed, and words for it such as “to see them”.
  ///
  /// A program that describes errors this way has to bind the action around the views that show
  /// them.
  public struct Lead: Hashable, Sendable {
    /// The action of the key.
    public var action: KeyAction
    /// The words after the key.
    public var words: String

    /// Creates a hint such as “! to see them”.
    public init(_ action: KeyAction, _ words: String) {
      self.action = action
      self.words = words
    }
  }

  /// Creates a description.
  public init(
    what: String, advice: String? = nil, detail: String? = nil, pause: Pause? = nil,
    lead: Lead? = nil
  ) {
    self.what = what
    self.advice = advice
    self.detail = detail
    self.pause = pause
    self.lead = lead
  }
}

private enum ErrorDescriberKey: EnvironmentKey {
  static var defaultValue: @MainActor (any Error) -> ErrorDescription {
    { ErrorDescription(inItsOwnWords: $0) }
  }
}

extension ErrorDescription {
  /// Describes a `LocalizedError` in its own words, and any other error as text.
  fileprivate init(inItsOwnWords error: any Error) {
    let localized = error as? any LocalizedError
    self.init(
      what: localized?.errorDescription ?? String(describing: error),
      advice: localized?.recoverySuggestion, detail: localized?.failureReason)
  }
}

extension EnvironmentValues {
  /// Describes errors to the user, for the views that show failures.
  ///
  /// By default, a `LocalizedError` is described in its own words, and any other error as text.
  public var describeError: @MainActor (any Error) -> ErrorDescription {
    get { self[ErrorDescriberKey.self] }
    set { self[ErrorDescriberKey.self] = newValue }
  }
}
