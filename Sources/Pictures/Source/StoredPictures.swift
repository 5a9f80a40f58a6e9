import Limits
import Foundation
import Synchronization

/// Caches pictures from the web as files in a folder, so that they are available in later runs and
/// offline.
///
/// It is only a cache: failures to write or read are ignored. Its calls block.
final class StoredPictures: Sendable {
  private let folder: String
  private let capacity: Int
  /// The total size of all files; nil until it was computed.
  private let size = Mutex<Int?>(nil)

  /// - Parameters:
  ///   - folder: created when the first picture is stored.
  ///   - capacity: the greatest total size of all files, in bytes.
  init(folder: String, capacity: Int) {
    (self.folder, self.capacity) = (folder, capacity)
  }

  /// Returns the cached bytes of an address and their age in seconds, and marks them as just used.
  ///
  /// A file's modification time is when it was fetched, its access time when it was used last.
  func picture(of address: String, limit: Int) -> (bytes: [UInt8], age: TimeInterval)? {
    let path = path(of: address)
    let head = Self.head(of: address)
    var status = stat()
    guard let all = try? FileReader.bytes(of: path, limit: limit + head.count),
      all.starts(with: head), stat(path, &status) == 0
    else { return nil }
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    utimensat(AT_FDCWD, path, [now, status.st_mtim], 0)
    let age = Self.seconds(now) - Self.seconds(status.st_mtim)
    return (Array(all.dropFirst(head.count)), age)
  }

  /// Stores the bytes of an address, and evicts the least recently used files if the total is too
  /// large.
  func store(_ bytes: [UInt8], of address: String) {
    let contents = Self.head(of: address) + bytes
    guard contents.count <= capacity else { return }
    // Private to the user: the files show what the user reads.
    guard
      (try? FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])) != nil,
      // Atomic, because another process may be reading the file.
      (try? Data(contents).write(to: URL(fileURLWithPath: path(of: address)), options: .atomic))
        != nil
    else { return }
    let isTooMuch = size.withLock { size in
      size = (size ?? files().reduce(0) { $0 + $1.size } - contents.count) + contents.count
      return size.map { $0 > capacity } ?? false
    }
    if isTooMuch { shrink() }
  }

  /// Shrinks the cache to three quarters, so that not every further picture has to list all files.
  private func shrink() {
    var all = files().sorted { $0.used < $1.used }[...]
    var left = all.reduce(0) { $0 + $1.size }
    while left > capacity / 4 * 3, let oldest = all.popFirst() {
      unlink(oldest.path)
      left -= oldest.size
    }
    size.withLock { [left] in $0 = left }
  }

  private func files() -> [(path: String, size: Int, used: Double)] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.compactMap { name in
      let path = folder + "/" + name
      var status = stat()
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
      return (path, Int(status.st_size), Self.seconds(status.st_atim))
    }
  }

  private static func seconds(_ time: timespec) -> TimeInterval {
    Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Two hashes form the file name; the address at the start of the file confirms that it is the
  /// right one.
  func path(of address: String) -> String {
    func hash(_ start: UInt64) -> String {
      let value = address.utf8.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
      let digits = String(value, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
    return folder + "/" + hash(0xcbf2_9ce4_8422_2325) + hash(0x8422_2325_cbf2_9ce4)
  }

  private static func head(of address: String) -> [UInt8] { Array(address.utf8) + [0x0A] }
}
