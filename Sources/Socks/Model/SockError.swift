import Foundation
public import Loading
import Storage
public import UserErrors

/// Why the drawer cannot do what was requested.
public enum SockError: Error, Hashable, Sendable {
  /// The sock does not exist, or was removed.
  case noSuchSock(Sock.ID)
  /// There is already a sock with this id.
  case alreadyThere(Sock.ID)
  /// A sock cannot be paired with itself.
  case pairedWithItself
  /// Another program has changed the field since the change was made.
  case changedElsewhere(SockField)
  /// The value of a field is not allowed.
  case invalid(SockRefusal)
  /// The drawer's file cannot be used.
  case store(StoreError)

  /// Runs `body`, whose errors of the file become errors of the drawer.
  static func telling<Value>(_ body: () async throws -> Value) async throws -> Value {
    do {
      return try await body()
    } catch let error as StoreError {
      throw SockError.store(error)
    }
  }
}

/// What is wrong with a field.
public enum SockRefusal: Hashable, Sendable {
  /// The value is outside of ``Sock/sogginessRange``.
  case sogginess(Int)
  /// The field must not be empty.
  case empty(SockField)
  /// The limit is in Unicode scalars.
  case tooLong(SockField, limit: Int)
  /// A field of one line contains control characters or line breaks, or notes contain a zero byte.
  case notOneLine(SockField)
  /// The text does not name a picture.
  case noPicture

  /// The field with the wrong value.
  public var field: SockField {
    switch self {
    case .sogginess: .sogginess
    case .empty(let field), .tooLong(let field, _), .notOneLine(let field): field
    case .noPicture: .picture
    }
  }
}

/// The messages shown to the user.
extension SockError: ExplainedError {
  /// What happened, in one sentence.
  public var what: String {
    switch self {
    case .noSuchSock: "This sock is not in the drawer."
    case .alreadyThere: "This sock is already in the drawer."
    case .pairedWithItself: "A sock cannot be paired with itself."
    case .changedElsewhere(let field):
      "Another program has changed the sock's \(field.rawValue) since."
    case .invalid(let refusal): refusal.what
    case .store(let error): error.what(of: "socks")
    }
  }

  /// What the user can do about it, in one sentence.
  public var advice: String {
    switch self {
    case .noSuchSock: "It may have been removed. Look at the list again."
    case .alreadyThere: "Change it, or add another one."
    case .pairedWithItself: "Choose another sock."
    case .changedElsewhere: "Retry to replace its value, or dismiss this change."
    case .invalid(let refusal): refusal.advice
    case .store(let error): error.advice
    }
  }

  /// Technical details; they may come from outside.
  public var detail: String? {
    switch self {
    case .noSuchSock(let id), .alreadyThere(let id): id.uuidString
    case .pairedWithItself, .changedElsewhere, .invalid: nil
    case .store(let error): error.detail
    }
  }
}

extension SockError: RetryAdvice {
  /// False for what stays as it is: a sock that is gone stays gone.
  public var isRetryable: Bool {
    switch self {
    // The user may retry a change that another program has overtaken.
    case .store, .changedElsewhere: true
    case .noSuchSock, .alreadyThere, .pairedWithItself, .invalid: false
    }
  }
}

extension SockRefusal {
  fileprivate var what: String {
    switch self {
    case .sogginess(let sogginess): "A sogginess of \(sogginess) is not possible."
    case .empty(let field): "The \(field.rawValue) is empty."
    case .tooLong(let field, _): "The \(field.rawValue) is too long."
    case .notOneLine(.notes): "The notes contain characters that are not text."
    case .notOneLine(let field): "The \(field.rawValue) must be one line of text."
    case .noPicture: "This is not the address of a picture."
    }
  }

  fileprivate var advice: String {
    switch self {
    case .sogginess: "Choose one from 0, bone dry, to 100, after a day in the fields."
    case .empty(let field): "Give it a \(field.rawValue)."
    case .tooLong(_, let limit): "Use at most \(limit) characters."
    case .notOneLine: "Leave out control characters and line breaks."
    case .noPicture: "Name a file, a bundled picture, or an http or https address."
    }
  }
}
