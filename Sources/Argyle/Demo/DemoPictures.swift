import Loading
import Pictures
import TerminalUI

extension PictureSupply {
  /// Calculated pictures of socks and paintings of the handbook; other pictures fail to load.
  static let demo = PictureSupply { request in
    Loader { context in
      try await context.clock.sleep(for: .milliseconds(120))
      let address = request.source.address
      if let sock = DemoSock(named: address) { return sock.cells(in: request.room) }
      if let painting = Painting(at: address) { return painting.cells(in: request.room) }
      throw DescribedError(
        "The picture is not there.", advice: "Check the file, then retry.", detail: address)
    }
  } size: { request in
    Painting(at: request.source.address)?.size(in: request.room)
  }
}
