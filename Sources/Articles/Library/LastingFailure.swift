import HTTP

/// A failure that may last: whoever is told of it is not told to try again where that cannot help.
protocol LastingFailure {
  /// Whether trying again cannot help: something has to be changed first, such as the address.
  var isLasting: Bool { get }
}

extension HTTPError: LastingFailure {
  var isLasting: Bool {
    switch self {
    case .noLibrary, .tooLarge, .malformedAnswer: true
    case .certificate(let fault, _): fault == .wrongName || fault == .selfSigned
    default: isRefusal
    }
  }
}

extension FeedError: LastingFailure {
  var isLasting: Bool {
    switch self {
    case .empty, .truncated, .malformed, .cancelled: false
    default: true
    }
  }
}

extension FetchError: LastingFailure {
  var isLasting: Bool {
    switch self {
    case .status(let status, _): status < 500 && status != 429 && status != 408
    case .passwordRefused, .fileMissing, .notAFile, .fileTooLarge: true
    case .nothingToCompare, .fileUnreadable: false
    }
  }
}

extension ReloadError: LastingFailure {
  var isLasting: Bool { failures.allSatisfy(\.message.isLasting) }
}
