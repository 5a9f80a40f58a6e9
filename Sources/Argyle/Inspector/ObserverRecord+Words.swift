import Articles
import HTTP
import Loading
import Storage

extension LoadingObserver.Record {
  /// `feeds #1: finished after 0.312 s`.
  func line(of name: String?) -> String {
    let load = [name, ticket?.description].compactMap(\.self)
    return load.isEmpty ? words : "\(load.joined(separator: " ")): \(words)"
  }

  /// What happened, how long it took and why it failed.
  ///
  /// ```
  /// started because it is shown
  /// failed after 2.000 s: The host “a.example” was not found.
  /// ```
  private var words: String {
    let after = elapsed.map { " after \($0.inSeconds)" } ?? ""
    return switch event {
    case .started(let cause): "started because \(cause.reason)"
    case .joined(let cause): "also wanted because \(cause.reason)"
    case .dropped(let cause): "not loaded again because \(cause.reason): it is being loaded"
    case .queued(let cause): "to be loaded again because \(cause.reason)"
    case .progressed(let progress): "at \(progress.words)\(after)"
    case .attempted(let number): "attempt \(number)\(after)"
    case .attemptFailed(let error): "attempt failed\(after): \(Self.text(error))"
    case .paused(let reason): "paused: \(reason)"
    case .resumed: "goes on\(after)"
    case .foundInCache: "found in the cache"
    case .yielded: "has a value\(after)"
    case .finished: "finished\(after)"
    case .failed(let error): "failed\(after): \(Self.text(error))"
    case .cancelled: "cancelled\(after)"
    case .discarded: "answered too late"
    case .published: "was set"
    case .reset: "was reset"
    case .mutated(let id): "\(id) begun"
    case .kept(let id): "\(id) kept\(after)"
    case .committed(let id): "\(id) saved\(after)"
    case .commitAttemptFailed(let id, let error):
      "\(id) not saved yet\(after): \(Self.text(error))"
    case .commitFailed(let id, let error): "\(id) not saved\(after): \(Self.text(error))"
    case .undone(let id): "\(id) undone\(after)"
    case .delivered(let key): "\(key) sent\(after)"
    case .deliveryFailed(let key, let error, let isFinal):
      "\(key) \(isFinal ? "not sent" : "not sent yet")\(after): \(Self.text(error))"
    }
  }

  /// What happened, with the detail, in a line.
  static func text(_ error: any Error) -> String {
    let message = UserMessage(error)
    return message.detail.map { "\(message.what) (\($0))" } ?? message.what
  }
}

extension HTTPReport {
  /// `GET https://a.example/feed.xml: status 200, 5120 bytes`.
  var words: String {
    let parts = [
      status.map { "status \($0)" }, error.map(ending),
      redirects == 0 ? nil : counted(redirects, "redirect"), counted(received, "byte"),
    ]
    let text = parts.compactMap(\.self).joined(separator: ", ")
    return "\(isPost ? "POST" : "GET") \(url): \(text)"
  }
}

extension FetchReport {
  /// `feed https://a.example/feed.xml: 12 new articles`.
  var words: String {
    let name =
      switch subject {
      case .feed(let address): "feed \(address)"
      case .account(let name): "account \(name)"
      case .dropping(let dropped): "old articles: \(dropped.words)"
      }
    if case .dropping = subject { return name }
    let outcome = newArticles.map { counted($0, "new article") }
    return "\(name): \(error.map(ending) ?? outcome ?? "unchanged")"
  }
}

extension DroppedArticles {
  /// `12 dropped for their age, 3 dropped as too many of a feed`; only the limits that dropped any.
  var words: String {
    [
      byAge > 0 ? "\(byAge) dropped for their age" : nil,
      byCount > 0 ? "\(byCount) dropped as too many of a feed" : nil,
    ].compactMap(\.self).joined(separator: ", ")
  }
}

extension FetchReport.Work {
  /// `, parsed in 0.004 s and prepared in 0.002 s`; empty if nothing was parsed.
  var words: String {
    guard parsing > .zero else { return "" }
    return ", parsed in \(parsing.inSeconds) and prepared in \(preparing.inSeconds)"
  }
}

extension StoreReport {
  /// `articles.sqlite: 2 writes of 12 rows`.
  var words: String {
    let done =
      switch work {
      case .opened: "opened"
      case .read: "read"
      case .wrote(let writes, let rows): "\(counted(writes, "write")) of \(counted(rows, "row"))"
      }
    let name = path.split(separator: "/").last ?? ""
    return "\(name): \(done)\(error.map { ", \(ending($0))" } ?? "")"
  }
}

private func ending(_ error: any Error) -> String {
  error is CancellationError ? "cancelled" : "failed"
}

extension LoadActivity.Cause {
  /// The reason of a load, for use after “because”.
  var reason: String {
    switch self {
    case .appeared: "it is shown"
    case .user: "it was asked for"
    case .inputChanged: "something else is to be shown"
    case .retry: "it was retried"
    case .mutation: "a change overlapped it"
    case .invalidated: "it has changed"
    case .refresh: "it is old"
    }
  }
}

extension LoadingProgress {
  /// `45 %`, or what is being done if the fraction is not known.
  var words: String { percent.map { "\($0) %" } ?? message ?? "work" }
}

extension Duration {
  /// In seconds, to the millisecond: `12.340 s`.
  var inSeconds: String {
    let (seconds, attoseconds) = components
    let milliseconds = String(1000 + Int(attoseconds / 1_000_000_000_000_000)).dropFirst()
    return "\(seconds).\(milliseconds) s"
  }
}
