import Storage

/// Why the store cannot be opened or used.
public typealias StoreError = Storage.StoreError

extension StoreError {
  /// What the user is told.
  public var message: UserMessage {
    UserMessage(what: what(of: "articles"), advice: advice, detail: detail)
  }
}
