/// An error in words for a person.
public struct ErrorDescription: Hashable, Sendable {
  /// What happened, in one sentence.
  public var what: String
  /// What can be done about it, in one sentence.
  public var advice: String?
  /// What helps those who look into it; shown on demand.
  public var detail: String?

  /// What happened, and what is to be said about it.
  public init(what: String, advice: String? = nil, detail: String? = nil) {
    self.what = what
    self.advice = advice
    self.detail = detail
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
