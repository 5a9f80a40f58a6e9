public import HTTP
public import Loading

// Messages do not advise to try again where that cannot help.

extension HTTPError: RetryAdvice {}

extension FeedError: RetryAdvice {
  public var isRetryable: Bool {
    switch self {
    case .empty, .truncated, .malformed, .cancelled: true
    default: false
    }
  }
}

extension FetchError: RetryAdvice {
  public var isRetryable: Bool {
    switch self {
    case .status(let status, _): HTTPError.isRetryable(status: status)
    case .passwordRefused, .passwordWithheld, .fileMissing, .notAFile, .noMarkdown, .fileTooLarge:
      false
    case .nothingToCompare, .fileUnreadable: true
    }
  }
}

extension ReloadError: RetryAdvice {
  public var isRetryable: Bool { !failures.allSatisfy(\.message.isLasting) }
}

extension FullTextError: RetryAdvice {
  public var isRetryable: Bool {
    switch self {
    case .status(let status, _): HTTPError.isRetryable(status: status)
    // Both the page and the configured selectors may change.
    case .nothingFound: true
    case .noAddress, .notAPage: false
    }
  }
}

extension DownloadError: RetryAdvice {
  public var isRetryable: Bool {
    switch self {
    case .status(let status, _): HTTPError.isRetryable(status: status)
    // After a login, the server sends the file; a rest that is none is not requested again.
    case .page, .tooMuchOfFile: true
    default: false
    }
  }
}

extension EpisodeFileError: RetryAdvice {
  public var isRetryable: Bool {
    switch self {
    case .status(_, let status, _): HTTPError.isRetryable(status: status)
    // The publisher may correct the file.
    case .empty, .unreadable: true
    case .none: false
    }
  }
}

extension ProgramError: RetryAdvice {
  public var isRetryable: Bool {
    if case .notAllowed = self { false } else { true }
  }
}

extension QueryError: RetryAdvice {
  public var isRetryable: Bool { false }
}

extension SyncError: RetryAdvice {
  public var isRetryable: Bool {
    switch self {
    case .refused(let status, _, _): HTTPError.isRetryable(status: status)
    // The keyring may be unlocked by the next attempt.
    case .badAnswer, .busy, .passwordTimedOut: true
    case .notAServer, .passwordRefused, .noPassword, .noPasswordPrinted, .unsupported,
      .noSuchAccount, .alreadyThere, .changesWaiting, .feedRefused:
      false
    }
  }
}
