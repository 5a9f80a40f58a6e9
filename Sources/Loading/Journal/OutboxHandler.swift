extension MutationOutbox {
  /// Sends journaled mutations of one kind: a name and a function of arguments that can be stored.
  ///
  /// It is found again by its name after a restart, so the name of a handler, and the coding of its
  /// arguments, must not change while rows with it may be in a journal.
  ///
  /// ```swift
  /// let rename = MutationOutbox.Handler<Renaming>("rename") { renaming, key in
  ///   try await api.rename(renaming.id, to: renaming.name, idempotencyKey: key)
  /// }
  /// ```
  public struct Handler<Arguments: Codable & Sendable>: Sendable {
    /// What follows from a failed attempt.
    public enum Resolution: Sendable {
      /// It is sent again after the backoff, with the same key, until its attempts are used up.
      case retry
      /// It has failed: the user sees it, and may try again or dismiss it.
      case fail
      /// It is no longer wanted, because what the server has is as good or better.
      case drop
      /// These arguments are sent instead, under a new key: the change, made over what the server has.
      case replace(Arguments)
    }

    /// The name under which the journal keeps its mutations.
    public let name: String
    private let send: @Sendable (Arguments, String) async throws -> Void
    private let resolve: @Sendable (Arguments, any Error) async throws -> Resolution

    /// - Parameters:
    ///   - name: the name under which the journal keeps its mutations.
    ///   - resolve: decides what follows from a failed attempt, for example from a conflict; it may ask
    ///     the server for what is there. An error that it throws counts as the failure of the attempt,
    ///     which is made again. By default the error's ``RetryAdvice`` decides between another attempt and
    ///     a failure.
    ///   - send: sends a change with its idempotency key, and returns when it was received. It may be
    ///     called again for a change that was received, when the answer was lost: a receiver that has
    ///     seen the key does nothing.
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

    /// The arguments of a row of this handler; nil for a row of another one.
    ///
    /// - Throws: `DecodingError` for a row that another version of the program has written.
    public func arguments(of mutation: MutationOutbox.Entry) throws -> Arguments? {
      guard mutation.handler == name else { return nil }
      return try StoredArguments.decode(mutation.arguments)
    }

    /// The handler with its arguments' type erased.
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
            case .drop: return .arrived
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

/// What came of one attempt to send a mutation.
enum DeliveryOutcome: Sendable {
  case arrived
  /// Final when no other attempt can help.
  case failed(any Error, isFinal: Bool)
  /// Other arguments are to be sent in its place.
  case conflicted(String, any Error)
}
