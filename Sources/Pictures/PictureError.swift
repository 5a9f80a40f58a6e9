public import Foundation
public import HTTP
public import Loading

/// Why a picture could not be loaded.
///
/// The associated strings may come from outside: they are sanitised when messages are created.
public enum PictureError: Error, Equatable, Sendable {
  /// The file does not exist.
  case notFound(path: String)
  /// It is a folder, a pipe or a device.
  case notAFile(path: String)
  /// The system refused to read it; `code` is the `errno`.
  case cannotRead(path: String, code: Int32)
  /// The request failed, or its answer could not be read.
  case web(HTTPError)
  /// The server answered with an error status; `retryDate` is when it allows another request.
  case status(Int, retryDate: Date? = nil)

  /// It is larger than the limit, in bytes.
  case tooManyBytes(limit: Int)
  /// Its declared size in pixels exceeds the limits.
  case tooLarge(PixelSize)
  /// Its type is not recognised.
  case notAPicture
  /// Its type is recognised but not supported.
  case typeNotShown(String)
  /// It is truncated.
  case truncated
  /// Its decoder found an error.
  case broken
  /// It needs more memory than the converter has.
  case outOfMemory
  /// This system has no decoder for its type, which is named.
  case noDecoder(String)
  /// This system cannot put the decoding program into a sandbox, so it does not decode.
  case noSandbox

  /// The converter could not be started; `code` is the `errno`.
  case cannotStart(code: Int32)
  /// Converting took longer than this.
  case tookTooLong(Duration)
  /// The process that decodes pictures ended before its answer: by a signal if the picture crashed
  /// it, with a status if it does not work on this system.
  case converterEnded(ChildProcess.Ending)
  /// The converter's answer is not a valid picture.
  case invalidAnswer
}

extension PictureError: RetryAdvice {
  /// Retrying does not help against a faulty picture, but it may with files, servers and processes.
  public var isRetryable: Bool {
    switch self {
    case .web(let error): error.isRetryable
    case .status(let status, _): HTTPError.isRetryable(status: status)
    case .notFound, .notAFile, .cannotRead, .notAPicture, .truncated: true
    case .cannotStart, .tookTooLong, .converterEnded, .invalidAnswer: true
    default: false
    }
  }
}
