import Loading
import LoadingTesting
import TerminalUI

/// A scene without a terminal, on a clock that is moved by hand.
///
/// It does what the program's event loop does: draw, report what has appeared, run the work that
/// this starts. Nothing else affects the picture: no real clock, no other thread, no environment.
@MainActor
final class Still {
  /// The current frame.
  private(set) var frame: Frame
  private let runtime = ManualRuntime()
  private let host: ViewHost
  private var size: Size
  /// Every picture with the time from which it was shown; empty unless recording.
  private(set) var frames: [(time: Duration, cells: CellBuffer)] = []
  private let isRecording: Bool

  init(
    _ scene: Scene, size: Size, environment: EnvironmentValues, seed: UInt64 = 1, cells: Int = 100,
    isRecording: Bool = false
  ) {
    self.size = size
    self.isRecording = isRecording
    let clock = runtime.clock.any
    let parts = SceneRuntime(
      clock: clock, scheduler: runtime.scheduler, observer: LoadingObserver(), seed: seed,
      cells: cells)
    let view = scene.makeView(parts)
    host = ViewHost(view, clock: clock, scheduler: parts.scheduler)
    host.environment = environment
    frame = host.frame(size: size, at: clock.now)
    present()
    settle()
  }

  /// Presses the keys of a script at its times.
  func play(_ script: KeyScript) {
    for step in script.steps {
      switch step {
      case .time(let time): run(to: time)
      case .key(let key):
        host.press(key, in: frame)
        settle()
      case .mouse(let events):
        for event in events {
          host.send(event, in: frame)
          settle()
        }
      case .resize(let size):
        self.size = size
        frame = host.frame(size: size, at: runtime.clock.now)
        present()
        settle()
      }
    }
  }

  /// Advances the clock to `time` since the start, unless that has passed.
  func run(to time: Duration) {
    let end = AnyClock.Instant(offset: time)
    while let next = nextChange, next <= end {
      runtime.clock.advance(to: next)
      settle()
    }
    if runtime.clock.now < end {
      runtime.clock.advance(to: end)
      frame = host.frame(size: size, at: end)
    }
    record()
  }

  private var nextChange: AnyClock.Instant? {
    guard let deadline = runtime.clock.nextDeadline, let change = frame.nextChange else {
      return runtime.clock.nextDeadline ?? frame.nextChange
    }
    return min(deadline, change)
  }

  /// Draws and runs work until nothing more happens without time passing.
  private func settle() {
    runtime.run()
    let now = runtime.clock.now
    while host.needsFrame || (frame.nextChange.map { $0 <= now } ?? false) {
      frame = host.frame(size: size, at: now)
      present()
    }
    record()
  }

  private func record() {
    guard isRecording, frames.last?.cells != frame.cells else { return }
    let time = runtime.clock.now.offset
    // A picture that was replaced at the same time was never visible.
    if frames.last?.time == time { frames.removeLast() }
    frames.append((time, frame.cells))
  }

  private func present() {
    host.didPresent(frame)
    runtime.run()
  }

  /// Ends every task of the views.
  func end() { host.end() }
}
