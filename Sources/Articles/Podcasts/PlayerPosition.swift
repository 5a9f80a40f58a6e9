import Foundation

/// Where a player has stopped in a download.
///
/// The player says so itself, in a file in a folder of this download's own: mpv writes one there with
/// `--watch-later-directory`. A line `start=SECONDS` in it is all that is read. Without such a file
/// nothing is known, and nothing is guessed.
struct PlayerPosition {
  /// The folder that the player is told.
  let folder: String

  /// A position is written in a few lines.
  private static let sizeLimit = 65_536
  /// A folder that something else has filled is not read for ever.
  private static let fileLimit = 100
  private static let range = 1.0...1_000_000

  /// - Parameter downloads: the folder that has the files of all downloads.
  init(of id: Download.ID, in downloads: String) {
    folder = "\(downloads)/.positions/\(id.rawValue)"
  }

  /// Makes the folder, for the user alone.
  ///
  /// - Throws: ``DownloadError/cannotWrite(path:reason:)``.
  func prepare() throws(DownloadError) {
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } catch {
      throw .cannotWrite(path: folder, reason: error.localizedDescription)
    }
  }

  /// What the newest of its files says, in seconds; nil where none says anything.
  var seconds: Int? {
    var newest: (date: timespec, seconds: Int)?
    for name in files {
      guard let (date, text) = read("\(folder)/\(name)"), let seconds = Self.start(in: text)
      else { continue }
      if let known = newest,
        (known.date.tv_sec, known.date.tv_nsec) > (date.tv_sec, date.tv_nsec)
      {
        continue
      }
      newest = (date, seconds)
    }
    return newest?.seconds
  }

  /// Forgets it; the next time the player begins at the beginning.
  func clear() {
    for name in files { unlink("\(folder)/\(name)") }
    rmdir(folder)
  }

  private var files: ArraySlice<String> {
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
    return (names ?? []).prefix(Self.fileLimit)
  }

  private func read(_ path: String) -> (timespec, String)? {
    // A pipe would be waited for, and a link could lead anywhere.
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size <= Self.sizeLimit
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: Self.sizeLimit)
    let count = bytes.withUnsafeMutableBytes {
      Foundation.read(descriptor, $0.baseAddress, $0.count)
    }
    guard count > 0 else { return nil }
    return (status.st_mtim, String(decoding: bytes.prefix(count), as: UTF8.self))
  }

  private static func start(in text: String) -> Int? {
    for line in text.split(whereSeparator: \.isNewline) where line.hasPrefix("start=") {
      guard let seconds = Double(line.dropFirst("start=".count)), range ~= seconds else { continue }
      return Int(seconds)
    }
    return nil
  }
}
