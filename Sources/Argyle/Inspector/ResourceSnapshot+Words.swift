import Articles
import Loading

extension Resource.Snapshot {
  /// What the resource is doing, or how its last load ended, in a word or two.
  var status: String {
    guard let activity else {
      switch state {
      case .idle: return "idle"
      case .loading: return "loading"
      case .failed: return "failed"
      case .loaded: return failure == nil ? "loaded" : "not reloaded"
      }
    }
    let loading = state.value == nil ? "loading" : "reloading"
    switch activity.phase {
    case .running: return progress.map { "\(loading) \($0.words)" } ?? loading
    case .debouncing: return "debouncing"
    case .waiting: return "waiting"
    case .paused(let reason): return "paused: \(reason)"
    case .backoff: return "to be retried"
    case .live: return "live"
    }
  }

  /// The numbers of pending and failed changes: `2 unsaved, 1 failed`.
  var changes: String {
    [
      pendingMutationCount > 0 ? "\(pendingMutationCount) unsaved" : nil,
      failedMutationCount > 0 ? "\(failedMutationCount) failed" : nil,
    ].compactMap(\.self).joined(separator: ", ")
  }

  /// Returns the age of the value, if there is one: `12 s`, `3 min`.
  func age(at now: AnyClock.Instant) -> String? {
    loadedAt.map { Self.words($0.duration(to: now)) }
  }

  /// Returns a sentence with everything known about the resource.
  func description(at now: AnyClock.Instant) -> String {
    var parts = ["\(name): \(status)"]
    if let age = age(at: now) { parts.append("value of \(age) ago") }
    if let activity {
      parts.append(
        "load \(activity.ticket) for \(Self.words(activity.startedAt.duration(to: now))) because "
          + activity.cause.reason)
      if activity.attempt > 1 || activity.attemptLimit != nil {
        parts.append(
          "attempt \(activity.attempt)" + (activity.attemptLimit.map { " of \($0)" } ?? ""))
      }
      if let next = activity.nextAttemptAt {
        parts.append("next one in \(Self.words(now.duration(to: next)))")
      }
    }
    if !changes.isEmpty { parts.append(changes) }
    parts.append(isShown ? "on the screen" : "not on the screen")
    if let failure = activity?.attemptFailure ?? failure {
      parts.append(UserMessage(failure.error).what)
    }
    return parts.joined(separator: "; ")
  }

  private static func words(_ duration: Duration) -> String {
    let seconds = max(0, duration.components.seconds)
    return seconds < 60 ? "\(seconds) s" : Age(since: Double(seconds)).text
  }
}
