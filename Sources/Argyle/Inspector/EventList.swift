import Loading
import TerminalUI

/// The events of a resource with their times, the newest first.
struct EventList: View {
  let records: [LoadRecord]

  var body: some View {
    let width = EventRow.timeWidth(records.last)
    VStack(alignment: .leading) {
      Text("Events").foregroundStyle(\.secondary)
      ForEach(0..<records.count) { index in
        EventRow(record: records[records.count - 1 - index], timeWidth: width)
      }
    }
    .frame(maxWidth: .infinity, maxHeight: .infinity, alignment: .topLeading)
  }
}

/// An event in a line.
struct EventRow: View {
  let record: LoadRecord
  /// What it happened to, where that is not clear.
  var name: String?
  let timeWidth: Int

  var body: some View {
    HStack {
      Text(record.time).foregroundStyle(\.secondary).frame(width: timeWidth, alignment: .trailing)
      Text(record.line(of: name)).lineLimit(1)
    }
  }

  /// How much room the times need of which `newest` is the last.
  static func timeWidth(_ newest: LoadRecord?) -> Int {
    // From the start of the program: after a quarter of an hour a time has a digit more.
    max(8, newest?.time.count ?? 0)
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
  fileprivate var time: String { at.offset.inSeconds }
}
