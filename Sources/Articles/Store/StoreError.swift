import Storage

/// Why the store cannot be opened or used.
public typealias StoreError = Storage.StoreError

extension StoreError: MessageError {
  /// The message shown to the user.
  public var message: UserMessage {
    UserMessage(what: what(of: "articles"), advice: advice, detail: detail)
  }
}
