import Storage
import Synchronization

/// A number that grows with every change of a drawer; comparable within one API only.
public struct DrawerRevision: Hashable, Comparable, Sendable {
  let number: UInt64

  /// Whether `left` is older.
  public static func < (left: DrawerRevision, right: DrawerRevision) -> Bool {
    left.number < right.number
  }
}

/// Counts the changes of a drawer and reports them.
final class DrawerRevisions: Sendable {
  private let number = Mutex<UInt64>(0)
  private let hub = ChangeHub<DrawerRevision>()

  func changes() -> AsyncStream<DrawerRevision> { hub.changes() }

  func advance() {
    let next = number.withLock { number in
      number += 1
      return number
    }
    hub.notify(DrawerRevision(number: next))
  }
}
