import Loading
import TerminalUI

/// Events with their times, the newest first.
struct EventList: View {
  let events: [PageEvent]
  /// Whether long texts continue below the times, where only one or two words would fit beside
  /// them.
  var isNarrow = false

  var body: some View {
    let width = EventRow.timeWidth(events.last?.at)
    VStack(alignment: .leading) {
      ForEach(0..<events.count) { index in
        let event = events[events.count - 1 - index]
        EventRow(
          at: event.at, line: event.line, isForced: event.isForced, timeWidth: width,
          layout: isNarrow ? .narrow : .whole)
      }
    }
    .frame(maxWidth: .infinity, maxHeight: .infinity, alignment: .topLeading)
  }
}

/// An event, on one line or on as many as its text needs.
struct EventRow: View {
  let at: AnyClock.Instant
  let line: String
  /// Whether the user caused the event.
  var isForced = false
  let timeWidth: Int
  var layout = Layout.line

  enum Layout { case line, whole, narrow }

  var body: some View {
    if layout == .narrow {
      Text(at.time + " ").foregroundStyle(\.secondary) + words
    } else {
      columns
    }
  }

  private var columns: some View {
    HStack(alignment: .top) {
      Text(at.time).foregroundStyle(\.secondary).frame(width: timeWidth, alignment: .trailing)
      words.lineLimit(layout == .whole ? nil : 1)
    }
  }

  private var words: Text { isForced ? Text(line).foregroundStyle(\.accent) : Text(line) }

  /// Returns the width of the times of events, of which `newest` is the latest.
  static func timeWidth(_ newest: AnyClock.Instant?) -> Int {
    // Times count from the start of the program, so they grow by a digit after a quarter of an
    // hour.
    max(8, newest?.time.count ?? 0)
  }
}

extension AnyClock.Instant {
  /// `12.340 s`; a stored value was loaded before the program started.
  fileprivate var time: String { offset < .zero ? "stored" : offset.inSeconds }
}
