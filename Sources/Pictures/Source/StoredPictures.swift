import Foundation
import Synchronization

/// Pictures of the web as files in a folder: they are there the next time, also without a network.
///
/// A cache and no more: what cannot be written is not kept, what cannot be read is not there. Its
/// calls block.
final class StoredPictures: Sendable {
  private let folder: String
  private let capacity: Int
  /// What all files have together; nil until somebody looked.
  private let size = Mutex<Int?>(nil)

  /// - Parameters:
  ///   - folder: made when the first picture is kept.
  ///   - capacity: the most bytes that all files have together.
  init(folder: String, capacity: Int) {
    (self.folder, self.capacity) = (folder, capacity)
  }

  /// The bytes that came from an address; it counts as used now.
  func bytes(of address: String, limit: Int) -> [UInt8]? {
    let path = path(of: address)
    let head = Self.head(of: address)
    guard let all = try? PictureFile.bytes(of: path, limit: limit + head.count),
      all.starts(with: head)
    else { return nil }
    utimes(path, nil)
    return Array(all.dropFirst(head.count))
  }

  /// Keeps the bytes of an address, and lets go of those used longest ago where it becomes too much.
  func store(_ bytes: [UInt8], of address: String) {
    let contents = Self.head(of: address) + bytes
    guard contents.count <= capacity else { return }
    // Nobody else's business what somebody reads.
    guard
      (try? FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])) != nil,
      // By a rename: another program may be reading it.
      (try? Data(contents).write(to: URL(fileURLWithPath: path(of: address)), options: .atomic))
        != nil
    else { return }
    let isTooMuch = size.withLock { size in
      size = (size ?? files().reduce(0) { $0 + $1.size } - contents.count) + contents.count
      return size.map { $0 > capacity } ?? false
    }
    if isTooMuch { shrink() }
  }

  /// Down to three quarters, so that not every further picture has to look at all files.
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
      return (
        path, Int(status.st_size),
        Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1e9
      )
    }
  }

  /// Two hashes in a row name a file; the address at its head says whether it is the right one.
  private func path(of address: String) -> String {
    func hash(_ start: UInt64) -> String {
      let value = address.utf8.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
      let digits = String(value, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
    return folder + "/" + hash(0xcbf2_9ce4_8422_2325) + hash(0x8422_2325_cbf2_9ce4)
  }

  private static func head(of address: String) -> [UInt8] { Array(address.utf8) + [0x0A] }
}
