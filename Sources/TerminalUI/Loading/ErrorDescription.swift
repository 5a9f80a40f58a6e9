/// An error in words for the user.
public struct ErrorDescription: Hashable, Sendable {
  /// What happened, in one sentence.
  public var what: String
  /// What can be done about it, in one sentence.
  public var advice: String?
  /// What helps those who look into it; shown on demand.
  public var detail: String?
  /// Until when a retry is refused: none is offered before.
  public var pause: Pause?
  /// A key that leads to what failed.
  public var lead: Lead?

  /// A time that is to pass before a retry is of use, as a server may ask for.
  public struct Pause: Hashable, Sendable {
    /// How long it is from now on.
    public var duration: Duration
    /// What stands in place of the hint to retry: "not before 14:20".
    public var words: String

    /// A pause from now on, and words for its end.
    public init(_ duration: Duration, _ words: String) {
      self.duration = duration
      self.words = words
    }
  }

  /// The pause, unless it is over.
  var pauseLeft: Pause? { pause.flatMap { $0.duration > .zero ? $0 : nil } }

  /// A key that leads to what failed, and words for it: "to see them".
  ///
  /// Who describes an error so has to bind the action around the view that shows it.
  public struct Lead: Hashable, Sendable {
    /// What the key does.
    public var action: KeyAction
    /// The words after the key.
    public var words: String

    /// A hint like “! to see them”.
    public init(_ action: KeyAction, _ words: String) {
      self.action = action
      self.words = words
    }
  }

  /// What happened, and what is to be said about it.
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
    { ErrorDescription(what: String(describing: $0)) }
  }
}

extension EnvironmentValues {
  /// Puts errors into words for the views that show failures.
  public var describeError: @MainActor (any Error) -> ErrorDescription {
    get { self[ErrorDescriberKey.self] }
    set { self[ErrorDescriberKey.self] = newValue }
  }
}
