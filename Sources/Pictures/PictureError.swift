public import HTTP
public import Loading

/// Why there is no picture.
///
/// Strings inside may come from outside: they are cleaned where they are put into words.
public enum PictureError: Error, Equatable, Sendable {
  /// There is no such file.
  case notFound(path: String)
  /// It is a folder, a pipe or a device.
  case notAFile(path: String)
  /// The system refuses it, by its error's number.
  case cannotRead(path: String, code: Int32)
  /// The server cannot be asked, or its answer not be read.
  case web(HTTPError)
  /// The server answered, but with no picture.
  case status(Int)

  /// It has more bytes than the limit.
  case tooManyBytes(limit: Int)
  /// It says that it has more pixels, or longer sides, than the limit.
  case tooLarge(PixelSize)
  /// Nothing that is known as a picture.
  case notAPicture
  /// A type that is not shown.
  case typeNotShown(String)
  /// It ends in the middle.
  case truncated
  /// It has a mistake that its decoder cannot get over.
  case broken
  /// It needs more memory than a picture gets.
  case outOfMemory
  /// This system has no decoder for its type.
  case noDecoder
  /// This system cannot lock the program that decodes, which therefore does not.
  case noSandbox

  /// The converter does not start, by the error's number.
  case cannotStart(code: Int32)
  /// It took longer than this.
  case tookTooLong(Duration)
  /// The picture ended the process that decodes it.
  case converterEnded(ProcessEnding)
  /// What came back from that process is no picture.
  case invalidAnswer
}

/// How a process ended.
public enum ProcessEnding: Hashable, Sendable {
  /// By itself.
  case exited(status: Int32)
  /// By a signal.
  case signalled(Int32)
}

extension PictureError: RetryAdvice {
  /// A picture does not get better by itself; files, servers and processes do.
  public var isRetryable: Bool {
    switch self {
    case .web(let error): error.isRetryable
    case .status(let status): HTTPError.isRetryable(status: status)
    case .notFound, .notAFile, .cannotRead, .truncated: true
    case .cannotStart, .tookTooLong, .converterEnded, .invalidAnswer: true
    default: false
    }
  }
}
