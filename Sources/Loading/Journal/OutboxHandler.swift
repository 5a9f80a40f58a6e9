extension MutationOutbox {
  /// Sends the journaled mutations of one kind: a name, and a function whose arguments can be
  /// stored.
  ///
  /// After a restart, the journal's rows find their handler by its name. So neither the name nor
  /// the coding of the arguments may change while a journal may contain rows with them.
  ///
  /// ```swift
  /// let rename = MutationOutbox.Handler<Renaming>("rename") { renaming, key in
  ///   try await api.rename(renaming.id, to: renaming.name, idempotencyKey: key)
  /// }
  /// ```
  public struct Handler<Arguments: Codable & Sendable>: Sendable {
    /// What follows from a failed attempt.
    public enum Resolution: Sendable {
      /// The change is sent again after the backoff, with the same key, until its attempts are used
      /// up.
      case retry
      /// The change has failed: the user can retry or dismiss it.
      case fail
      /// The change is removed, because the server has an equal or newer value.
      ///
      /// The resource that shows the change loads again.
      case drop
      /// These arguments are sent instead, with a new key: the change, made to the server's value.
      ///
      /// The resource that shows the change loads again when they were sent.
      /// Until the process ends, the outbox knows the change by its former key, too.
      case replace(Arguments)
    }

    /// The name of the handler in the journal's rows.
    public let name: String
    private let send: @Sendable (Arguments, String) async throws -> Void
    private let resolve: @Sendable (Arguments, any Error) async throws -> Resolution

    /// Creates a handler.
    ///
    /// - Parameters:
    ///   - name: the name of the handler in the journal's rows.
    ///   - resolve: decides what follows from a failed attempt, such as a conflict; it may load the
    ///     server's value for that. If it throws, the attempt has failed with that error, and the
    ///     change is sent again. By default, the error's ``RetryAdvice`` decides whether to retry
    ///     or to fail.
    ///   - send: sends a change with its idempotency key, and returns when the change was received.
    ///     It can be called again with a change that was received, if the answer was lost: the
    ///     receiver has to ignore a key that it has seen.
    public init(
      _ name: String,
      resolve:
        @escaping @Sendable (_ arguments: Arguments, _ error: any Error) async throws
        -> Resolution = { _, error in error.allowsRetry ? .retry : .fail },
      send: @escaping @Sendable (_ arguments: Arguments, _ key: String) async throws -> Void
    ) {
      self.name = name
      self.resolve = resolve
      self.send = send
    }

    /// Returns the arguments of a row of this handler; nil for a row of another handler.
    ///
    /// - Throws: `DecodingError` if the arguments cannot be read, for example because another
    ///   version of the program has written the row.
    public func arguments(of mutation: MutationOutbox.Entry) throws -> Arguments? {
      guard mutation.handler == name else { return nil }
      return try StoredArguments.decode(mutation.arguments)
    }

    /// The handler with the type of its arguments erased.
    var erased: AnyMutationHandler {
      AnyMutationHandler(name: name) { mutation in
        guard let arguments = try? arguments(of: mutation) else {
          return .failed(MutationOutbox.Entry.Failure("The change cannot be read."), isFinal: true)
        }
        do {
          try await send(arguments, mutation.key)
          return .arrived
        } catch {
          do {
            switch try await resolve(arguments, error) {
            case .retry: return .failed(error, isFinal: false)
            case .fail: return .failed(error, isFinal: true)
            case .drop: return .dropped
            case .replace(let other): return .conflicted(try StoredArguments.encode(other), error)
            }
          } catch {
            return .failed(error, isFinal: false)
          }
        }
      }
    }
  }
}

/// A handler of any arguments.
struct AnyMutationHandler: Sendable {
  let name: String
  let attempt: @Sendable (MutationOutbox.Entry) async -> DeliveryOutcome
}

/// The result of one attempt to send a mutation.
enum DeliveryOutcome: Sendable {
  case arrived
  /// The receiver has an equal or newer value.
  case dropped
  /// The attempt has failed; it is final if another attempt cannot help.
  case failed(any Error, isFinal: Bool)
  /// Other arguments have to be sent instead.
  case conflicted(String, any Error)
}
