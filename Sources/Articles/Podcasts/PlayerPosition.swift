import Foundation

/// Where the player stopped in a download.
///
/// The player writes this to a file in a folder of the download: mpv does so with
/// `--watch-later-directory`. Only a line `start=SECONDS` is read. Without such a file the position
/// is unknown.
struct PlayerPosition {
  /// The folder that is passed to the player.
  let folder: String
  private let downloads: String
  private let name: String

  /// The most files that are read, in case something else has filled the folder.
  private static let fileLimit = 100
  private static let range = 1.0...1_000_000
  private static let allPositions = ".positions"
  /// The name of the folder while a position is set aside.
  private var nameBefore: String { name + ".before" }

  /// - Parameter downloads: the folder with the positions of all downloads.
  init(of id: Download.ID, in downloads: String) {
    self.downloads = downloads
    name = "\(id.rawValue)"
    folder = "\(downloads)/\(Self.allPositions)/\(name)"
  }

  /// Creates the folder, accessible to the user only.
  ///
  /// - Throws: ``DownloadError/cannotWrite(path:reason:)``, also for a link and for a folder of
  ///   another user, who could redirect the player.
  func prepare() throws(DownloadError) {
    do {
      try FileManager.default.createDirectory(
        atPath: downloads, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
      let all = try OpenFolder(downloads).making(Self.allPositions)
      _ = try all.making(name)
    } catch let error as FolderError {
      throw .cannotWrite(path: folder, reason: error.words)
    } catch {
      throw .cannotWrite(path: folder, reason: error.localizedDescription)
    }
  }

  /// The folder with the positions of all downloads; nil before the first one.
  private var all: OpenFolder? { try? OpenFolder(downloads).folder(Self.allPositions) }

  /// The position in the newest file, in seconds; nil if there is none.
  var seconds: Int? {
    guard let own = try? all?.folder(name) else { return nil }
    var newest: (date: timespec, seconds: Int)?
    own.forEachName(atMost: Self.fileLimit) { name in
      guard let (date, text) = own.read(name), let seconds = Self.start(in: text) else { return }
      if let known = newest,
        (known.date.tv_sec, known.date.tv_nsec) > (date.tv_sec, date.tv_nsec)
      {
        return
      }
      newest = (date, seconds)
    }
    return newest?.seconds
  }

  /// Changes the position in every file that has one, and nothing else in it.
  func move(to seconds: Int) {
    guard let own = try? all?.folder(name) else { return }
    own.forEachName(atMost: Self.fileLimit) { name in
      guard let (_, text) = own.read(name), Self.start(in: text) != nil else { return }
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
        line.hasPrefix("start=") ? "start=\(seconds)" : String(line)
      }
      own.write(lines.joined(separator: "\n"), to: name)
    }
  }

  /// Deletes the position.
  func clear() {
    guard let all else { return }
    all.remove(name)
    all.remove(nameBefore)
  }

  /// Sets the position aside, so that the player starts from the beginning, until ``bringBack()``.
  ///
  /// - Returns: whether there was one.
  func setAside() -> Bool {
    // If it is set aside twice, the first position is kept.
    guard let all, (try? all.folder(name)) != nil else { return false }
    all.remove(nameBefore)
    return all.rename(name, to: nameBefore)
  }

  /// Restores the position that was set aside last.
  ///
  /// - Returns: whether there was one.
  func bringBack() -> Bool {
    guard let all, (try? all.folder(nameBefore)) != nil else { return false }
    all.remove(name)
    return all.rename(nameBefore, to: name)
  }

  private static func start(in text: String) -> Int? {
    for line in text.split(whereSeparator: \.isNewline) where line.hasPrefix("start=") {
      guard let seconds = Double(line.dropFirst("start=".count)), range ~= seconds else { continue }
      return Int(seconds)
    }
    return nil
  }
}

/// Why a folder could not be opened or created.
private struct FolderError: Error {
  let words: String

  init() { words = String(cString: strerror(errno)) }

  init(_ words: String) { self.words = words }
}

/// An open folder.
///
/// Names are resolved in the open folder and not by path, so that nobody can replace a folder with
/// a link between a check and its use.
private final class OpenFolder {
  let descriptor: Int32

  /// The largest file that is read, in bytes: a position takes a few lines.
  private static let sizeLimit = 65_536
  private static let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC

  /// Opens the configured folder, which may be a link.
  init(_ path: String) throws {
    descriptor = open(path, Self.flags)
    guard descriptor >= 0 else { throw FolderError() }
  }

  /// - Parameter parent: an open folder.
  private init(_ name: String, in parent: Int32) throws {
    descriptor = openat(parent, name, Self.flags | O_NOFOLLOW)
    guard descriptor >= 0 else { throw FolderError() }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw FolderError() }
    guard status.st_uid == geteuid() else { throw FolderError("It belongs to another user.") }
  }

  deinit { close(descriptor) }

  /// Opens a subfolder; fails for a link, and for a folder of another user.
  func folder(_ name: String) throws -> OpenFolder { try OpenFolder(name, in: descriptor) }

  /// Creates a subfolder if it does not exist, and makes it accessible to the user only.
  func making(_ name: String) throws -> OpenFolder {
    guard mkdirat(descriptor, name, 0o700) == 0 || errno == EEXIST else { throw FolderError() }
    let made = try folder(name)
    guard fchmod(made.descriptor, 0o700) == 0 else { throw FolderError() }
    return made
  }

  /// Removes a subfolder and its files.
  func remove(_ name: String) {
    guard let inner = try? folder(name) else { return }
    inner.forEachName { unlinkat(inner.descriptor, $0, 0) }
    unlinkat(descriptor, name, AT_REMOVEDIR)
  }

  func rename(_ name: String, to new: String) -> Bool {
    renameat(descriptor, name, descriptor, new) == 0
  }

  func forEachName(atMost limit: Int = .max, _ body: (UnsafePointer<CChar>) -> Void) {
    // A separate descriptor, because closing the stream closes it.
    let copy = openat(descriptor, ".", Self.flags)
    guard copy >= 0 else { return }
    guard let stream = fdopendir(copy) else {
      close(copy)
      return
    }
    defer { closedir(stream) }
    var rest = limit
    while rest > 0, let entry = readdir(stream) {
      rest -= 1
      withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { body($0) }
      }
    }
  }

  /// Rewrites an existing small file.
  func write(_ text: String, to name: UnsafePointer<CChar>) {
    let file = openat(descriptor, name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return }
    defer { close(file) }
    let bytes = Array(text.utf8)
    // Truncated only after writing, so that a full disk leaves the old contents.
    let count = bytes.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, 0) }
    if count == bytes.count { ftruncate(file, off_t(count)) }
  }

  /// Returns the text of a small file and its modification time.
  func read(_ name: UnsafePointer<CChar>) -> (timespec, String)? {
    // Opening a pipe would block, and a link could lead anywhere.
    let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size <= Self.sizeLimit
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: Self.sizeLimit)
    let count = bytes.withUnsafeMutableBytes { Foundation.read(file, $0.baseAddress, $0.count) }
    guard count > 0 else { return nil }
    return (status.st_mtim, String(decoding: bytes.prefix(count), as: UTF8.self))
  }
}
