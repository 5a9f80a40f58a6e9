import CCurl
import CThreads
import Synchronization

/// Owns the one thread that runs curl: takes commands from any thread, starts the thread no later
/// than with the first command, and wakes it for each.
final class Worker: Sendable {
  enum Command: Sendable {
    case start(Transfer)
    /// Nobody reads the transfer any more.
    case release(Transfer)
    case resume(Transfer)
  }

  private let scope: @Sendable ([UInt8]) -> PrivateNetwork.Scope
  private let now: @Sendable () -> SuspendingClock.Instant
  private let inbox: Mutex<Inbox>

  private struct Inbox {
    var options: HTTPClient.Options
    var commands: [Command] = []
    var wakeUp: WakeUp?
    var isRunning = false
    /// The error for every later request; nil until the worker is closed.
    var refusal: (any Error)?
    var closeWaiters: [CheckedContinuation<Void, Never>] = []
  }

  init(
    options: HTTPClient.Options,
    scope: @escaping @Sendable ([UInt8]) -> PrivateNetwork.Scope,
    now: @escaping @Sendable () -> SuspendingClock.Instant
  ) {
    inbox = Mutex(Inbox(options: options))
    self.scope = scope
    self.now = now
  }

  /// Starts the thread, which loads libcurl; if that fails, the first command tries again.
  func prepare() {
    _ = inbox.withLock { startThread(&$0) }
  }

  func post(_ command: Command) {
    let failure = inbox.withLock { inbox -> (any Error)? in
      if let failure = startThread(&inbox) { return failure }
      inbox.commands.append(command)
      inbox.wakeUp?()
      return nil
    }
    if let failure, case .start(let transfer) = command { transfer.end(.failure(failure)) }
  }

  func setPlaces(_ count: Int, perHost countPerHost: Int) {
    inbox.withLock { inbox in
      inbox.options.maximumTransfers = count
      inbox.options.maximumTransfersPerHost = countPerHost
      inbox.wakeUp?()
    }
  }

  /// Ends the thread and every transfer; these and later requests fail with `refusal`.
  func close(_ refusal: any Error = CancellationError()) {
    inbox.withLock { inbox in
      if inbox.refusal == nil { inbox.refusal = refusal }
      inbox.wakeUp?()
    }
  }

  func waitUntilClosed() async {
    await withCheckedContinuation { waiter in
      let isOver = inbox.withLock { inbox in
        if !inbox.isRunning { return true }
        inbox.closeWaiters.append(waiter)
        return false
      }
      if isOver { waiter.resume() }
    }
  }

  /// Starts the thread if it does not run; returns why it does not.
  private func startThread(_ inbox: inout Inbox) -> (any Error)? {
    if let refusal = inbox.refusal { return refusal }
    if inbox.isRunning { return nil }
    let context = Unmanaged.passRetained(self)
    let code = thread_start(
      { context in
        Unmanaged<Worker>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, context.toOpaque())
    inbox.isRunning = code == 0
    if inbox.isRunning { return nil }
    context.release()
    return HTTPError.other(code: Int(code), reason: "no thread")
  }

  // MARK: On the thread

  private func run() {
    if ccurl_load() == nil,
      let transfers = RunningTransfers(
        options: inbox.withLock(\.options), scope: scope, now: now)
    {
      inbox.withLock { $0.wakeUp = transfers.wakeUp }
      while let (commands, options) = nextCommands() {
        transfers.work(commands, options: options)
        transfers.sleep()
      }
      transfers.endAll()
    } else {
      close(HTTPError(code: CURLE_FAILED_INIT))
    }
    leave()
  }

  /// Returns the commands posted since the last call, and the options; nil once the worker is closed.
  private func nextCommands() -> ([Command], HTTPClient.Options)? {
    inbox.withLock { inbox in
      guard inbox.refusal == nil else {
        // Removed under the lock: nobody may wake a handle that is about to be freed.
        inbox.wakeUp = nil
        return nil
      }
      defer { inbox.commands = [] }
      return (inbox.commands, inbox.options)
    }
  }

  private func leave() {
    let (left, refusal, waiters) = inbox.withLock { inbox in
      inbox.isRunning = false
      defer { (inbox.commands, inbox.closeWaiters) = ([], []) }
      return (inbox.commands, inbox.refusal ?? CancellationError(), inbox.closeWaiters)
    }
    for case .start(let transfer) in left { transfer.end(.failure(refusal)) }
    for waiter in waiters { waiter.resume() }
  }
}

// Sendable although it holds a pointer: it only calls curl_multi_wakeup, the one function that curl
// documents as safe from every thread. Worker drops it before the handle is freed.
struct WakeUp: @unchecked Sendable {
  private let multi: OpaquePointer

  init(_ multi: OpaquePointer) {
    self.multi = multi
  }

  func callAsFunction() {
    ccurl_multi_wakeup(multi)
  }
}
