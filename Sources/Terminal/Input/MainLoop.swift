import CMainLoop

/// The main thread's own loop, which waits for the terminal, for a point in time and for work of
/// the main actor all at once.
///
/// Without it, the runtime gives up the main thread, and a key or a tick reaches the main actor
/// through two or more other threads, each of which has to be woken. The loop relies on private
/// functions, which the README of `CMainLoop` describes. Where they are missing, dispatch sources
/// deliver input and tasks wait for points in time.
@MainActor
public enum MainLoop {
  /// Whether the loop was built.
  package nonisolated static var isBuilt: Bool { main_loop_is_built() != 0 }
  /// Whether the loop runs; it starts when the `main` that installed it first suspends.
  public private(set) static var isRunning = false
  private static var input: (descriptor: Int32, receive: @MainActor () -> Bool)?
  private static var alarm: (time: ContinuousClock.Instant, ring: @MainActor () -> Void)?

  /// Makes the main thread wait in this loop as soon as `main` first suspends.
  ///
  /// After that moment, it has no effect.
  public static func install() {
    if !isRunning { _ = main_loop_install { MainActor.assumeIsolated { MainLoop.run() } } }
  }

  /// Passes each job that the runtime would run on its own thread pool to `enqueue`.
  ///
  /// Only child tasks inherit a preferred executor. Without this function, a task created by
  /// `Task { … }` runs on the runtime's pool while it is not on the main actor.
  ///
  /// - Parameter enqueue: called with the address that an `UnownedJob` consists of; it must run
  ///   that job exactly once.
  package nonisolated static func redirectGlobalJobs(
    _ enqueue: @convention(c) (_ job: UnsafeMutableRawPointer?) -> Void
  ) {
    _ = global_jobs_redirect(enqueue)
  }

  /// Calls `ring` once at a point in time, instead of a previous alarm; `nil` cancels the alarm.
  package static func setAlarm(
    _ alarm: (time: ContinuousClock.Instant, ring: @MainActor () -> Void)?
  ) {
    self.alarm = alarm
  }

  /// Calls `receive` whenever a descriptor is readable, until it returns `false`.
  static func watch(_ descriptor: Int32, receive: @escaping @MainActor () -> Bool) {
    input = (descriptor, receive)
  }

  /// Stops watching a descriptor.
  static func unwatch(_ descriptor: Int32) {
    if input?.descriptor == descriptor { input = nil }
  }

  private static func run() {
    isRunning = true
    let queue = main_queue_descriptor()
    // Work that arrived before anything waited for it.
    main_queue_run(queue)
    while true {
      let ready = descriptors_wait(queue, input?.descriptor ?? -1, nanosecondsLeft())
      if ready & 2 != 0, let input, !input.receive() { unwatch(input.descriptor) }
      if ready & 1 != 0 { main_queue_run(queue) }
      if nanosecondsLeft() == 0, let ring = alarm?.ring {
        alarm = nil
        ring()
      }
    }
  }

  /// The nanoseconds left until the alarm; -1 if there is none.
  private static func nanosecondsLeft() -> Int64 {
    guard let alarm else { return -1 }
    let left = ContinuousClock.now.duration(to: alarm.time)
    guard left > .zero else { return 0 }
    let (seconds, attoseconds) = left.components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000 + 1
  }
}
