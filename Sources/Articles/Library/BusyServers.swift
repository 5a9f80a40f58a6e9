import Foundation
import HTTP
import Synchronization

/// The servers that get no requests for a while: they asked for that, or gave no answer.
final class BusyServers: Sendable {
  private let longest: TimeInterval
  private let ends = Mutex<[String: Date]>([:])

  /// - Parameter longest: for how many seconds a server is left alone at most.
  init(longest: TimeInterval) { self.longest = longest }

  /// Notes that the server of an address gets no requests before a date.
  func note(_ address: String, until end: Date, at now: Date) {
    ends.withLock { ends in
      ends = ends.filter { $0.value > now }
      ends[Self.server(of: address)] = min(end, now.addingTimeInterval(longest))
    }
  }

  /// Returns until when the server of an address gets no requests; nil if it does.
  func end(of address: String, at now: Date) -> Date? {
    guard let end = ends.withLock({ $0[Self.server(of: address)] }),
      // Not for long by a clock that was ahead.
      now < end, end <= now.addingTimeInterval(longest)
    else { return nil }
    return end
  }

  /// Returns the host of an address, with its port if there is one.
  static func server(of address: String) -> String {
    WebAddress.Parts(address).authority?.lowercased() ?? ""
  }
}
