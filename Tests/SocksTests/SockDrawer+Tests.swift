@testable import Socks

extension SockDrawer {
  /// Increases or decreases the sogginess of a sock, as keys do.
  func changeSogginess(of id: Sock.ID, by change: Int) {
    guard let sock = changing(id).latestValue else { return }
    setSogginess(of: id, to: sock.sogginess + change)
  }
}
