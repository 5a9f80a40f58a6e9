#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A value that only one thread at a time can access.
///
/// It does not use `Synchronization.Mutex`: on Linux that waits by a system call that the thread
/// sanitizer does not know, so that the sanitizer would report false races in everything that a
/// contended mutex guards, among which real ones would go unnoticed. It knows POSIX mutexes.
package struct Lock<Value: Sendable>: @unchecked Sendable {
  // Unchecked, because it refers to mutable memory, which only `withLock` accesses, on one thread
  // at a time.
  private let storage: Storage

  /// The mutex and the value in one allocation: a mutex needs a fixed address, which a stored
  /// property does not have.
  private final class Storage: ManagedBuffer<pthread_mutex_t, Value> {
    deinit {
      withUnsafeMutablePointers { mutex, value in
        value.deinitialize(count: 1)
        pthread_mutex_destroy(mutex)
      }
    }
  }

  /// Creates a lock that guards `value`.
  package init(_ value: consuming Value) {
    let buffer = Storage.create(minimumCapacity: 1) { _ in pthread_mutex_t() }
    // `create` returns an instance of the class that it is called on.
    storage = unsafeDowncast(buffer, to: Storage.self)
    let (mutex, memory) = storage.withUnsafeMutablePointers { ($0, $1) }
    let failure = pthread_mutex_init(mutex, nil)
    precondition(failure == 0, "No mutex: error \(failure)")
    memory.initialize(to: value)
  }

  /// Runs `body` with the value, once no other thread does.
  ///
  /// `body` must not use the same lock, or it waits forever.
  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    try storage.withUnsafeMutablePointers { mutex, value in
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return try body(&value.pointee)
    }
  }
}
