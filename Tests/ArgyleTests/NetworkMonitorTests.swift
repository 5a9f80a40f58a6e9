import HTTP
import Loading
import LoadingTesting
import Testing

@testable import Argyle

@MainActor
@Suite(.timeLimit(.minutes(10))) struct NetworkMonitorTests {
  private let runtime = ManualRuntime()

  private func missing(_ host: String) -> HTTPError { .cannotResolve(host: host) }

  @Test func `three hosts that cannot be reached are a machine that is offline`() {
    let network = NetworkMonitor(clock: runtime.clock.any)
    network.note(missing("a.example"))
    network.note(missing("a.example"))
    network.note(.cannotConnect(host: "b.example", reason: "refused"))
    #expect(network.gate.isOpen)
    network.note(missing("c.example"))
    #expect(!network.gate.isOpen)
  }

  @Test func `a proxy that is not reached for three hosts is a machine that is offline`() {
    let network = NetworkMonitor(clock: runtime.clock.any)
    for host in ["a", "a", "b"] {
      let error = HTTPError.proxy(reason: "refused")
      network.note(HTTPReport(url: "https://\(host).example/feed", status: nil, error: error))
    }
    #expect(network.gate.isOpen)
    let error = HTTPError.proxy(reason: "refused")
    network.note(HTTPReport(url: "https://c.example/feed", status: nil, error: error))
    #expect(!network.gate.isOpen)
  }

  @Test func `an answer in between, or another failure, is not one of them`() {
    let network = NetworkMonitor(clock: runtime.clock.any)
    network.note(missing("a.example"))
    network.note(missing("b.example"))
    network.note(nil)
    network.note(missing("c.example"))
    network.note(.tooSlow)
    network.note(missing("d.example"))
    #expect(network.gate.isOpen)
  }

  @Test func `it is online again with the first answer`() {
    let network = NetworkMonitor(clock: runtime.clock.any)
    for host in ["a", "b", "c"] { network.note(missing(host)) }
    network.note(nil)
    #expect(network.gate.isOpen)
  }

  @Test(.timeLimit(.minutes(10)))
  func `after a while it is tried again, and three more failures pause again`() async {
    let network = NetworkMonitor(clock: runtime.clock.any)
    for host in ["a", "b", "c"] { network.note(missing(host)) }
    await runtime.run(until: { runtime.clock.sleeperCount == 1 })
    runtime.advance(by: NetworkMonitor.pause)
    await runtime.run(until: { network.gate.isOpen })
    for host in ["a", "b", "c"] { network.note(missing(host)) }
    #expect(!network.gate.isOpen)
  }
}
