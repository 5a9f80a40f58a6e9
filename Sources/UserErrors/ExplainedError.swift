public import Foundation

/// An error that a user can understand.
public protocol ExplainedError: Error {
  /// What happened: one sentence.
  var what: String { get }
  /// What the user can do about it: one sentence.
  var advice: String { get }
  /// Technical details, which may come from outside.
  var detail: String? { get }
  /// The time before which the server allows no other request; nil if it has not said.
  var retryDate: Date? { get }
}

extension ExplainedError {
  /// Nil, as for most errors.
  public var retryDate: Date? { nil }
}

/// Any other error, which the program did not expect.
public struct UnexpectedError: ExplainedError {
  /// That it was not expected.
  public let what = "An unexpected error occurred."
  /// To try again.
  public let advice = "Try again."
  /// A description of the error.
  public let detail: String?

  /// Wraps an error of any type.
  public init(_ error: any Error) { detail = String(describing: error) }
}

/// Returns the error itself if it explains what happened, else an ``UnexpectedError``.
public func explained(_ error: any Error) -> any ExplainedError {
  error as? any ExplainedError ?? UnexpectedError(error)
}
