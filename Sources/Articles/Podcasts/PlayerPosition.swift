import Foundation
import Limits

/// Where the player stopped in a download.
///
/// The player writes this to a file in a folder of the download: mpv does so with
/// `--watch-later-directory`. Only a line `start=SECONDS` is read. Without such a file the position
/// is unknown.
struct PlayerPosition {
  /// The folder that is passed to the player.
  let folder: String
  /// The folder with the positions of all downloads.
  private let all: String
  /// The folder while a position is set aside.
  private var folderBefore: String { folder + ".before" }

  /// The most files that are read, in case something else has filled the folder.
  private static let fileLimit = 100
  /// The largest file that is read, in bytes: a position takes a few lines.
  private static let sizeLimit = 65_536
  private static let range = 1.0...1_000_000

  /// - Parameter downloads: the folder with the positions of all downloads, which only the user can
  ///   write to.
  init(of id: Download.ID, in downloads: String) {
    all = "\(downloads)/.positions"
    folder = "\(all)/\(id.rawValue)"
  }

  /// Creates the folder, accessible to the user only.
  ///
  /// - Throws: ``DownloadError/cannotWrite(path:reason:)``, also for a link and for a folder of
  ///   another user, who could redirect the player.
  func prepare() throws(DownloadError) {
    for path in [all, folder] {
      do {
        try FileManager.default.createDirectory(
          atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      } catch {
        throw .cannotWrite(path: folder, reason: error.localizedDescription)
      }
      guard isOwnFolder(path), chmod(path, 0o700) == 0 else {
        throw .cannotWrite(path: folder, reason: "\(path) is a link, or of another user")
      }
    }
  }

  /// The position in the newest file, in seconds; nil if there is none.
  var seconds: Int? { files.max { $0.date < $1.date }?.seconds }

  /// Changes the position in every file that has one, and nothing else in it.
  func move(to seconds: Int) {
    for file in files {
      let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
        line.hasPrefix("start=") ? "start=\(seconds)" : String(line)
      }
      try? FileWriter.write(Array(lines.joined(separator: "\n").utf8), to: file.path)
    }
  }

  /// Deletes the position.
  func clear() {
    remove(folder)
    remove(folderBefore)
  }

  /// Sets the position aside, so that the player starts from the beginning, until ``bringBack()``.
  ///
  /// - Returns: whether there was one.
  func setAside() -> Bool {
    // If it is set aside twice, the first position is kept.
    replace(folderBefore, with: folder)
  }

  /// Restores the position that was set aside last.
  ///
  /// - Returns: whether there was one.
  func bringBack() -> Bool { replace(folder, with: folderBefore) }

  private func replace(_ path: String, with other: String) -> Bool {
    guard isThere(other) else { return false }
    remove(path)
    return rename(other, path) == 0
  }

  private func remove(_ path: String) {
    if isThere(path) { try? FileManager.default.removeItem(atPath: path) }
  }

  private func isThere(_ path: String) -> Bool { isOwnFolder(all) && isOwnFolder(path) }

  /// Whether a path is a folder of the user, and not a link.
  private func isOwnFolder(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
      && status.st_uid == geteuid()
  }

  /// The files that have a position.
  private var files: [(path: String, date: Date, text: String, seconds: Int)] {
    guard isThere(folder),
      let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
    else { return [] }
    return names.prefix(Self.fileLimit).compactMap { name in
      let path = "\(folder)/\(name)"
      var status = stat()
      guard lstat(path, &status) == 0,
        let bytes = try? FileReader.bytes(
          of: Array(path.utf8CString), limit: Self.sizeLimit, followsLinks: false)
      else { return nil }
      let text = String(decoding: bytes, as: UTF8.self)
      return Self.start(in: text).map { (path, status.modified, text, $0) }
    }
  }

  private static func start(in text: String) -> Int? {
    for line in text.split(whereSeparator: \.isNewline) where line.hasPrefix("start=") {
      guard let seconds = Double(line.dropFirst("start=".count)), range ~= seconds else { continue }
      return Int(seconds)
    }
    return nil
  }
}
