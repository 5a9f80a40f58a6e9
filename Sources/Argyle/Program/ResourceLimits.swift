import Foundation

/// The system's limits for this process, where they may be too low to run.
///
/// With too few open files the main loop traps and timers never fire; with too little memory
/// threads cannot be started, and their loads never end.
struct ResourceLimits {
  /// How many files may be open at once.
  var openFiles: UInt64
  /// How many bytes of virtual memory the process may have.
  var memory: UInt64

  static let neededOpenFiles: UInt64 = 64
  /// A thread takes 72 MB, most of which is never touched, and a screen with lists has fifteen
  /// threads: with 640 MB, three of nine starts never showed what they loaded, and with 1,024 MB,
  /// two of three did not end by themselves.
  static let neededMemory: UInt64 = 1536 << 20

  /// Returns the limits of this process.
  ///
  /// Raises the limit of open files first, as far as allowed and needed.
  static func current() -> ResourceLimits {
    var files = rlimit()
    var memory = rlimit(rlim_cur: .max, rlim_max: .max)
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
    if files.rlim_cur < neededOpenFiles, files.rlim_max > files.rlim_cur {
      files.rlim_cur = min(files.rlim_max, rlim_t(neededOpenFiles))
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
    }
    getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &memory)
    return ResourceLimits(openFiles: UInt64(files.rlim_cur), memory: UInt64(memory.rlim_cur))
  }

  /// Says which limit is too low and how to raise it; `nil` if none is.
  var shortage: String? {
    if openFiles < Self.neededOpenFiles {
      return
        "Only \(openFiles) files may be open at once, but argyle needs \(Self.neededOpenFiles). "
        + "Raise the limit: ulimit -n \(Self.neededOpenFiles)"
    }
    if memory < Self.neededMemory {
      return "Only \(memory >> 20) MB of virtual memory are allowed, but argyle needs "
        + "\(Self.neededMemory >> 20). Raise the limit: ulimit -v \(Self.neededMemory >> 10)"
    }
    return nil
  }
}
