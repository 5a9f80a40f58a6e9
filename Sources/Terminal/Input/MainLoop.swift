import CMainLoop

/// The main thread's own loop: it waits for the terminal, for a point in time and for the main
/// actor's work at once.
///
/// Without it the runtime gives the main thread away, and a key or a tick reaches the main actor by
/// way of two or more other threads, each of which has to be woken. The loop is built on private
/// functions, which the README of `CMainLoop` describes; where they are missing, dispatch sources
/// deliver input and tasks wait for points in time.
@MainActor
public enum MainLoop {
  /// Whether it runs, which it does from the first suspension of the `main` that installed it.
  public private(set) static var isRunning = false
  private static var input: (descriptor: Int32, receive: @MainActor () -> Bool)?
  private static var alarm: (time: ContinuousClock.Instant, ring: @MainActor () -> Void)?

  /// Has the main thread wait in this loop from the moment `main` waits for the first time.
  ///
  /// Has no effect after that moment.
  public static func install() {
    if !isRunning { _ = main_loop_install { MainActor.assumeIsolated { MainLoop.run() } } }
  }

  /// Calls `ring` once at a time, instead of what it was to call before; `nil` calls nothing.
  public static func setAlarm(
    _ alarm: (time: ContinuousClock.Instant, ring: @MainActor () -> Void)?
  ) {
    self.alarm = alarm
  }

  /// Calls `receive` whenever a descriptor has bytes, until it answers `false`.
  static func watch(_ descriptor: Int32, receive: @escaping @MainActor () -> Bool) {
    input = (descriptor, receive)
  }

  /// Watches a descriptor no more.
  static func unwatch(_ descriptor: Int32) {
    if input?.descriptor == descriptor { input = nil }
  }

  private static func run() {
    isRunning = true
    let queue = main_queue_descriptor()
    // What came in before somebody waited for it.
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

  /// Until the alarm: -1 where there is none.
  private static func nanosecondsLeft() -> Int64 {
    guard let alarm else { return -1 }
    let left = ContinuousClock.now.duration(to: alarm.time)
    guard left > .zero else { return 0 }
    let (seconds, attoseconds) = left.components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000 + 1
  }
}
