import Storage

/// Why the store cannot be opened or used.
public typealias StoreError = Storage.StoreError

extension StoreError {
  /// What a person is told.
  public var message: PersonMessage {
    PersonMessage(what: what(of: "articles"), advice: advice, detail: detail)
  }
}
