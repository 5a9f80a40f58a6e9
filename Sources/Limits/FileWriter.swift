import Foundation

/// Writes files with blocking calls.
public enum FileWriter {
  /// Why a file cannot be written.
  public struct Failure: Error, Hashable, Sendable {
    /// The `errno` with which the system refuses.
    public let code: Int32
    /// Whether the folder is the obstacle: no file can be put into it, neither a new one nor one that
    /// replaces another.
    public let isOfFolder: Bool

    init(code: Int32, isOfFolder: Bool = false) {
      (self.code, self.isOfFolder) = (code, isOfFolder)
    }

    /// The reason as a clause.
    public var reason: String {
      isOfFolder ? "its folder cannot be written to" : String(cString: strerror(code))
    }
  }

  /// Writes bytes to what a path names.
  ///
  /// A file is replaced in one step, so that it never has a part of them, and keeps its permissions;
  /// if the path is a symbolic link, its target is replaced. A pipe or a device gets the bytes.
  public static func write(_ bytes: [UInt8], to path: String) throws(Failure) {
    var status = stat()
    let isThere = stat(path, &status) == 0
    // Another file would take the place even of one that must not be written.
    guard !isThere || access(path, W_OK) == 0 else {
      throw Failure(code: errno)
    }
    // A link to no file makes one.
    let isLink = !isThere && lstat(path, &status) == 0
    if isLink || isThere && ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) {
      return try writeInto(path, bytes)
    }
    let target = URL(fileURLWithPath: path).resolvingSymlinksInPath()
    do {
      try Data(bytes).write(to: target, options: .atomic)
    } catch {
      let code = ((error as? CocoaError)?.underlying as? POSIXError)?.code.rawValue ?? EIO
      throw Failure(code: code, isOfFolder: code == EACCES)
    }
    if isThere { chmod(target.path, status.st_mode & 0o7777) }
  }

  private static func writeInto(_ path: String, _ bytes: [UInt8]) throws(Failure) {
    let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw Failure(code: errno) }
    defer { close(file) }
    try write(bytes, to: file)
  }

  /// Writes all of the bytes to an open file, and waits where it cannot take more.
  public static func write(_ bytes: [UInt8], to file: Int32) throws(Failure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        var descriptor = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
        poll(&descriptor, 1, -1)
      case let code: throw Failure(code: code)
      }
    }
  }
}
