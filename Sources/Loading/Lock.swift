#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A value that only one thread at a time can access.
///
/// Not `Synchronization.Mutex`: on Linux that waits in a system call of its own, which the thread
/// sanitizer does not know. It reports false races in everything that a contended mutex guards, and
/// real races would be lost among them. The sanitizer knows POSIX mutexes.
package struct Lock<Value: Sendable>: @unchecked Sendable {
  // Unchecked, because it holds a reference to memory that changes: that is reached by `withLock`
  // alone, on one thread at a time.
  private let storage: Storage

  /// The mutex and the value in one allocation, at an address that stays the same, as a mutex
  /// needs; a stored property has no such address.
  private final class Storage: ManagedBuffer<pthread_mutex_t, Value> {
    deinit {
      withUnsafeMutablePointers { mutex, value in
        value.deinitialize(count: 1)
        pthread_mutex_destroy(mutex)
      }
    }
  }

  /// Guards `value`.
  package init(_ value: Value) {
    let buffer = Storage.create(minimumCapacity: 1) { _ in pthread_mutex_t() }
    storage = unsafeDowncast(buffer, to: Storage.self)  // `create` makes one of its own class.
    storage.withUnsafeMutablePointers { mutex, memory in
      let failure = pthread_mutex_init(mutex, nil)
      precondition(failure == 0, "No mutex: error \(failure)")
      memory.initialize(to: value)
    }
  }

  /// Runs `body` with the value, when no other thread does.
  ///
  /// `body` must not use the same lock.
  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    try storage.withUnsafeMutablePointers { mutex, value in
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return try body(&value.pointee)
    }
  }
}
