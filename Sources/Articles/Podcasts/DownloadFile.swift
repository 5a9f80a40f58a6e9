import Foundation
import Storage

/// Writes a download to a partial file, which is renamed when it is complete.
///
/// Existing files are never overwritten, links are not followed, and only the user can read the
/// file.
final class DownloadFile {
  private let folder: String
  private let path: String
  private let lock: DownloadLock
  private let descriptor: Int32
  /// How many bytes have been written.
  private(set) var size: Int

  /// Opens or creates the partial file, and locks the download against other processes as long as
  /// this object lives.
  ///
  /// - Throws: ``DownloadError``.
  init(of id: Download.ID, in folder: String) throws(DownloadError) {
    self.folder = folder
    path = Self.part(of: id, in: folder)
    try Self.make(folder)
    lock = try DownloadLock(of: id, in: folder)
    descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.failure(path, folder) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw .cannotWrite(path: path, reason: "It is no file.")
    }
    size = Int(status.st_size)
  }

  deinit { close(descriptor) }

  static func part(of id: Download.ID, in folder: String) -> String {
    "\(folder)/download-\(id.rawValue).part"
  }

  /// Whether a download is being fetched, by this process or another.
  static func isLocked(_ id: Download.ID, in folder: String) -> Bool {
    DownloadLock.isTaken(of: id, in: folder)
  }

  /// Returns how many bytes of a download are on the disk.
  static func partSize(of id: Download.ID, in folder: String) -> Int {
    var status = stat()
    return lstat(part(of: id, in: folder), &status) == 0 ? Int(status.st_size) : 0
  }

  /// Deletes the partial file of a download, and the lock that a killed process has left.
  static func remove(_ id: Download.ID, in folder: String) {
    unlink(part(of: id, in: folder))
    _ = try? DownloadLock(of: id, in: folder)
  }

  /// How many bytes are free on the disk; nil if unknown.
  var room: Int? {
    var status = statvfs()
    guard fstatvfs(descriptor, &status) == 0 else { return nil }
    let (bytes, isTooMuch) = Int(clamping: status.f_bavail)
      .multipliedReportingOverflow(by: Int(clamping: status.f_frsize))
    return isTooMuch ? nil : bytes
  }

  /// Empties the file.
  func clear() throws(DownloadError) {
    guard ftruncate(descriptor, 0) == 0 else { throw Self.failure(path, folder) }
    size = 0
  }

  func append(_ bytes: [UInt8]) throws(DownloadError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let offset = off_t(size)
      let count = rest.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, offset) }
      guard count > 0 else {
        if count < 0, errno == EINTR { continue }
        throw Self.failure(path, folder)
      }
      size += count
      rest = rest.dropFirst(count)
    }
  }

  /// Deletes the partial file.
  func remove() { unlink(path) }

  /// Renames the complete file.
  ///
  /// - Returns: its path.
  func finish(as name: String, _ ending: String) throws(DownloadError) -> String {
    guard fsync(descriptor) == 0 else { throw Self.failure(path, folder) }
    for number in 1..<1_000 {
      let target = "\(folder)/\(name)\(number == 1 ? "" : "-\(number)").\(ending)"
      // Reserves the name first: renaming would replace an existing file, and not every file system
      // supports hard links.
      let place = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      if place >= 0 {
        close(place)
        if rename(path, target) == 0 { return target }
        let reason = errno
        unlink(target)
        errno = reason
        break
      }
      guard errno == EEXIST else { break }
    }
    throw Self.failure(path, folder)
  }

  /// Makes a file that ``finish(as:_:)`` has renamed the partial file again, or deletes it.
  func takeBack(_ finished: String) {
    if rename(finished, path) != 0 { unlink(finished) }
  }

  private static func make(_ folder: String) throws(DownloadError) {
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } catch {
      throw .cannotWrite(path: folder, reason: error.localizedDescription)
    }
  }

  fileprivate static func failure(_ path: String, _ folder: String) -> DownloadError {
    let code = errno
    if code == ENOSPC || code == EDQUOT { return .diskFull(folder: folder) }
    return .cannotWrite(path: path, reason: String(cString: strerror(code)))
  }
}

/// The lock of a download, which one object of one process has at a time.
///
/// A file of its own, which is deleted with the lock. The partial file cannot be the lock: it is
/// renamed before the store knows that the download has finished, and until then another process
/// could begin again with a new partial file.
private final class DownloadLock {
  private let path: String
  private let descriptor: Int32

  /// - Throws: ``DownloadError``.
  init(of id: Download.ID, in folder: String) throws(DownloadError) {
    let path = Self.path(of: id, in: folder)
    let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw DownloadFile.failure(path, folder) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, Self.isFile(descriptor, at: path) else {
      close(descriptor)
      throw .busy
    }
    (self.path, self.descriptor) = (path, descriptor)
  }

  deinit {
    unlink(path)
    FolderLock.end(descriptor)
  }

  static func isTaken(of id: Download.ID, in folder: String) -> Bool {
    let descriptor = open(path(of: id, in: folder), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_SH | LOCK_NB) != 0
  }

  private static func path(of id: Download.ID, in folder: String) -> String {
    "\(folder)/.download-\(id.rawValue).lock"
  }

  /// Whether the open file is still the one at its path; not if the process that had the lock has
  /// deleted it since it was opened here.
  private static func isFile(_ descriptor: Int32, at path: String) -> Bool {
    var (opened, found) = (stat(), stat())
    return fstat(descriptor, &opened) == 0 && lstat(path, &found) == 0
      && opened.st_dev == found.st_dev && opened.st_ino == found.st_ino
  }
}

/// Makes safe file names from untrusted text.
public enum FileName {
  /// Converts a title to a file name: without separators or invisible characters, not hidden, and
  /// short enough for every file system, even with a number appended.
  public static func safe(_ title: String) -> String {
    var name = ""
    for scalar in title.unicodeScalars.prefix(1_000) {
      let isPart =
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        || "'’(),+&".unicodeScalars.contains(scalar)
        || scalar.properties.generalCategory == .nonspacingMark
      if isPart {
        name.unicodeScalars.append(scalar)
      } else if !name.isEmpty, name.last != " ", name.last != "-" {
        // White space becomes a space, other characters become a hyphen.
        name.append(scalar.properties.isWhitespace ? " " : "-")
      }
    }
    while name.utf8.count > 120 { name.removeLast() }
    while let last = name.last, last == " " || last == "-" { name.removeLast() }
    return name.isEmpty ? "Untitled" : name
  }
}

extension Attachment {
  private static let endings: [String: [String]] = [
    "audio/mpeg": ["mp3"], "audio/mp4": ["m4a"], "audio/x-m4a": ["m4a"], "audio/aac": ["aac"],
    "audio/ogg": ["ogg", "oga", "opus"], "audio/opus": ["opus"], "audio/flac": ["flac"],
    "audio/wav": ["wav"], "video/mp4": ["mp4", "m4v"], "video/webm": ["webm"],
    "video/quicktime": ["mov"], "video/x-matroska": ["mkv"], "video/ogg": ["ogv"],
    "application/pdf": ["pdf"], "application/epub+zip": ["epub"],
  ]

  /// The extension of its file: one of a few that no system takes for a program.
  var fileEnding: String {
    let path = WebAddress.Parts(address).path
    let ending = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
    if Self.endings.values.contains(where: { $0.contains(ending) }) { return ending }
    return Self.endings[type?.lowercased() ?? ""]?.first ?? "bin"
  }
}
