import Loading
import TerminalUI

/// Events with their times, the newest first.
struct EventList: View {
  let events: [PageEvent]
  /// Whether words go on below the times, where beside them there would be room for one or two.
  var isNarrow = false

  var body: some View {
    let width = EventRow.timeWidth(events.last?.record)
    VStack(alignment: .leading) {
      ForEach(0..<events.count) { index in
        let event = events[events.count - 1 - index]
        EventRow(
          record: event.record, name: event.name, timeWidth: width,
          layout: isNarrow ? .narrow : .whole)
      }
    }
    .frame(maxWidth: .infinity, maxHeight: .infinity, alignment: .topLeading)
  }
}

/// An event: in a line, or in as many as its words need.
struct EventRow: View {
  let record: LoadRecord
  /// What it happened to, where that is not clear.
  var name: String?
  let timeWidth: Int
  var layout = Layout.line

  enum Layout { case line, whole, narrow }

  var body: some View {
    if layout == .narrow {
      Text(record.time + " ").foregroundStyle(\.secondary) + Text(record.line(of: name))
    } else {
      columns
    }
  }

  private var columns: some View {
    HStack(alignment: .top) {
      Text(record.time).foregroundStyle(\.secondary).frame(width: timeWidth, alignment: .trailing)
      Text(record.line(of: name)).lineLimit(layout == .whole ? nil : 1)
    }
  }

  /// How much room the times need of which `newest` is the last.
  static func timeWidth(_ newest: LoadRecord?) -> Int {
    // From the start of the program: after a quarter of an hour a time has a digit more.
    max(8, newest?.time.count ?? 0)
  }
}

extension LoadRecord {
  /// `12.340 s`.
  fileprivate var time: String { at.offset.inSeconds }
}
