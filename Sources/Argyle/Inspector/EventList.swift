import Loading
import TerminalUI

/// Events with their times, the newest first.
struct EventList: View {
  let events: [PageEvent]
  /// Whether words go on below the times, where beside them there would be room for one or two.
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

/// An event: in a line, or in as many as its words need.
struct EventRow: View {
  let at: AnyClock.Instant
  let line: String
  /// Whether it is what somebody asked for, and not what happened.
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

  /// How much room the times need of which `newest` is the last.
  static func timeWidth(_ newest: AnyClock.Instant?) -> Int {
    // From the start of the program: after a quarter of an hour a time has a digit more.
    max(8, newest?.time.count ?? 0)
  }
}

extension AnyClock.Instant {
  /// `12.340 s`.
  fileprivate var time: String { offset.inSeconds }
}
