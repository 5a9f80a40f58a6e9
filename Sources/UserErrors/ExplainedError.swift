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
  public var retryDate: Date? { nil }
}

/// Any other error, which the program did not expect.
public struct UnexpectedError: ExplainedError {
  public let what = "An unexpected error occurred."
  public let advice = "Try again."
  public let detail: String?

  public init(_ error: any Error) { detail = String(describing: error) }
}

/// Returns the error itself if it explains what happened, else an ``UnexpectedError``.
public func explained(_ error: any Error) -> any ExplainedError {
  error as? any ExplainedError ?? UnexpectedError(error)
}
