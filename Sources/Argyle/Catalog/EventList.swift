import Loading
import TerminalUI

/// The events of a resource with their times, the newest first.
struct EventList: View {
  let records: [LoadRecord]

  var body: some View {
    // From the start of the program: after a quarter of an hour a time has a digit more.
    let width = max(8, records.last?.time.count ?? 0)
    VStack(alignment: .leading) {
      Text("Events").foregroundStyle(\.secondary)
      ForEach(0..<records.count) { index in
        let record = records[records.count - 1 - index]
        HStack {
          Text(record.time).foregroundStyle(\.secondary).frame(width: width, alignment: .trailing)
          Text(record.words).lineLimit(1)
        }
      }
    }
    .frame(maxWidth: .infinity, maxHeight: .infinity, alignment: .topLeading)
  }
}

/// A view with the events beside it, where there is room for both.
struct BesideEvents<Content: View>: View {
  let records: [LoadRecord]
  @ViewBuilder let content: Content

  private static var widthForBoth: Int { 72 }

  var body: some View {
    GeometryReader { size in
      HStack(alignment: .top) {
        content
        EventList(records: records).frame(width: 46).collapsed(size.width < Self.widthForBoth)
      }
    }
  }
}

extension LoadRecord {
  /// `12.340 s`.
  fileprivate var time: String {
    let (seconds, attoseconds) = at.offset.components
    let milliseconds = Int(attoseconds / 1_000_000_000_000_000)
    let padded = String(1000 + milliseconds).dropFirst()
    return "\(seconds).\(padded) s"
  }

  fileprivate var words: String {
    let load = ticket.map { "Load \($0)" } ?? "Load"
    return switch event {
    case .started(let cause): "\(load) started: \(cause.words)"
    case .joined(let cause): "\(load) joined: \(cause.words)"
    case .dropped(let cause): "ignored: \(cause.words)"
    case .queued(let cause): "queued after \(load): \(cause.words)"
    case .progressed(let progress): "\(load) at \(progress.percent.map { "\($0) %" } ?? "work")"
    case .attempted(let number): "attempt \(number)"
    case .attemptFailed: "attempt failed, another follows"
    case .paused(let reason): "\(load) paused: \(reason)"
    case .resumed: "\(load) goes on"
    case .foundInCache: "found in the cache"
    case .yielded: "a value, with more to come"
    case .finished: "\(load) finished"
    case .failed: "\(load) failed"
    case .cancelled: "\(load) cancelled"
    case .discarded: "ignored: an answer of an older load"
    case .published: "a state was set"
    case .reset: "reset"
    case .mutated: "a change, not saved yet"
    case .kept: "the change is kept, and is sent"
    case .committed: "the change was saved"
    case .commitFailed: "the change was not saved and is undone"
    case .undone: "the change was undone"
    }
  }
}

extension LoadCause {
  fileprivate var words: String {
    switch self {
    case .appeared: "the view appeared"
    case .user: "the user loaded"
    case .inputChanged: "the input changed"
    case .retry: "the user retried"
    case .mutation: "a change overlapped it"
    case .refresh: "time passed"
    }
  }
}
