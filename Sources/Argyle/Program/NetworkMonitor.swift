import HTTP
import Loading
import Synchronization

/// Tells by the outcomes of requests whether the machine is offline.
///
/// When hosts cannot be found or reached, one after the other, ``gate`` closes: loads that start by
/// themselves wait for it. It opens with the first answer, and after a while to see whether the network
/// is there again. What the user asks for is tried in any case.
final class NetworkMonitor: Sendable {
  /// Closed while the machine is taken to be offline.
  let gate = LoadGate("offline")

  private let clock: AnyClock
  private let state = Mutex(State())

  private struct State {
    /// Without an answer since the last one; of one host, it is the host that is missing.
    var unreached: Set<String> = []
    var pause: Task<Void, Never>?
  }

  /// So many hosts in a row are no accident.
  static let hosts = 3
  /// How long loads wait before they are tried again.
  static let pause = Duration.seconds(30)

  init(clock: AnyClock) {
    self.clock = clock
  }

  deinit {
    state.withLock { $0.pause?.cancel() }
  }

  /// Takes the outcome of a request: why there was no answer, or nil for one.
  func note(_ error: HTTPError?) {
    switch error {
    case .cannotResolve(let host)?, .cannotConnect(let host, _)?: miss(host)
    case nil: open()
    // It says nothing of the network.
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
