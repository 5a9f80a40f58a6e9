import Foundation
import HTTP
import Loading
import Synchronization

/// Decides from the outcomes of requests whether the machine is offline.
///
/// When several hosts in a row cannot be resolved or reached, ``gate`` closes: automatic loads wait
/// for it. It opens with the first answer, and after a while to find out whether the network is
/// back. Loads that the user starts are tried in any case.
final class NetworkMonitor: Sendable {
  /// Closed while the machine is considered offline.
  let gate = LoadGate("offline")

  private let clock: AnyClock
  private let state = Mutex(State())

  private struct State {
    /// The hosts that could not be reached since the last answer.
    ///
    /// A set, because a single host that fails again and again may be down itself.
    var unreached: Set<String> = []
    var pause: Task<Void, Never>?
  }

  /// How many hosts have to fail in a row before the machine is considered offline.
  static let hosts = 3
  /// How long the gate stays closed before loads are tried again.
  static let pause = Duration.seconds(30)

  init(clock: AnyClock) {
    self.clock = clock
  }

  deinit {
    state.withLock { $0.pause?.cancel() }
  }

  /// Records the outcome of a request that a report describes.
  func note(_ report: HTTPReport) {
    if report.status != nil { return note(nil) }
    guard let error = report.error as? HTTPError else { return }
    // A proxy that is not reached hides whether the server would be.
    guard case .proxy = error else { return note(error) }
    miss(URLComponents(string: report.url)?.host ?? report.url)
  }

  /// Records the outcome of a request: its error, or nil if there was an answer.
  func note(_ error: HTTPError?) {
    switch error {
    case .cannotResolve(let host)?, .cannotConnect(let host, _)?: miss(host)
    case nil: open()
    // Other errors say nothing about the network.
    default: break
    }
  }

  private func miss(_ host: String) {
    state.withLock { state in
      state.unreached.insert(host)
      guard state.unreached.count >= Self.hosts, state.pause == nil else { return }
      gate.close()
      state.pause = Task { [clock, weak self] in
        guard (try? await clock.sleep(for: Self.pause)) != nil else { return }
        self?.open()
      }
    }
  }

  private func open() {
    state.withLock { state in
      state.unreached = []
      state.pause?.cancel()
      state.pause = nil
    }
    gate.open()
  }
}
