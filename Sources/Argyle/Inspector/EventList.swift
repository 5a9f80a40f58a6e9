import Loading
import TerminalUI

/// Events with their times, the newest first.
struct EventList: View {
  let events: [PageEvent]

  var body: some View {
    let width = EventRow.timeWidth(events.last?.record)
    VStack(alignment: .leading) {
      ForEach(0..<events.count) { index in
        let event = events[events.count - 1 - index]
        EventRow(record: event.record, name: event.name, timeWidth: width, isWhole: true)
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
  var isWhole = false

  var body: some View {
    HStack(alignment: .top) {
      Text(record.time).foregroundStyle(\.secondary).frame(width: timeWidth, alignment: .trailing)
      Text(record.line(of: name)).lineLimit(isWhole ? nil : 1)
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
