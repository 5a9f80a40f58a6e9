import Loading
import TerminalUI

/// What every resource of the program is doing, and what happened to it: shows why something is
/// missing, or is loaded again and again.
///
/// The list of resources, those on the screen first, is above the events of the selected one; Enter
/// goes to the events, and Esc back. A small screen and plain mode show only one of the two. The
/// first row stands for all resources. The selected resource, or on the first row every resource on
/// the screen, can be loaded again. The selected resource can also be forced into another state, to
/// see how the screen shows it.
struct Inspector: View {
  let observer: LoadingObserver
  /// The size of the screen.
  let size: Size
  @State private var selection: InspectorRow.ID? = .all
  @State private var showsEvents = false
  @FocusState private var isInResources: Bool
  @FocusState private var isInEvents: Bool
  @Environment(\.isPlain) private var isPlain

  /// The columns and rows that a sheet and the footer take.
  private static let (columnsAround, rowsAround) = (4, 3)
  private static let (heightForDescription, heightForBoth) = (6, 14)

  private var room: Size {
    Size(
      width: max(1, size.width - Self.columnsAround),
      height: max(1, size.height - Self.rowsAround))
  }

  var body: some View {
    TimelineView(changesAfter: { $0.advanced(by: .seconds(1)) }) { now in
      content(at: now)
    }
    .frame(width: room.width, alignment: .topLeading)
    .frame(maxHeight: .infinity, alignment: .topLeading)
  }

  private func content(at now: AnyClock.Instant) -> some View {
    let resources = observer.resources
    let rows =
      [InspectorRow()]
      + (resources.filter(\.isShown) + resources.filter { !$0.isShown })
      .map { InspectorRow($0) }
    let selected = rows.first { $0.id == selection } ?? rows[0]
    let next = ForcedState(after: selected.resource)
    // The row for all resources reloads only those on the screen.
    let reloadable = (selected.resource.map { [$0] } ?? resources.filter(\.isShown))
      .filter(\.canReload)
    let showsBoth = !isPlain && room.height >= Self.heightForBoth
    return VStack(alignment: .leading) {
      List(
        rows, selection: $selection, submitLabel: "events",
        onSubmit: { _ in
          showsEvents = true
          isInEvents = true
        }
      ) { row in
        InspectorRowView(row: row, count: rows.count - 1, width: room.width, now: now)
      }
      .frame(height: min(rows.count, showsBoth ? room.height / 2 : room.height))
      .focused($isInResources)
      .defaultFocus()
      .collapsed(!showsBoth && showsEvents)
      InspectedEvents(
        row: selected, timeline: observer.timeline, isLow: room.height < Self.heightForDescription,
        now: now
      )
      .focused($isInEvents)
      .collapsed(!showsBoth && !showsEvents)
    }
    .onKeyPress(action: .back, label: "resources", when: showsEvents) {
      showsEvents = false
      isInResources = true
    }
    .onKeyPress(
      action: .reload, label: selected.resource == nil ? "load all again" : "load again",
      when: !reloadable.isEmpty
    ) {
      for resource in reloadable { observer.reload(resource.id) }
    }
    .onKeyPress("f", label: "show as \(next.name)", when: selected.resource?.canBeForced == true) {
      if let resource = selected.resource { observer.force(next.state, on: resource.id) }
    }
  }
}

/// A state that a resource can be forced to show.
private enum ForcedState {
  case idle, loading, failed

  /// Chooses the state after the current one: loading, failed, idle, and so on.
  init(after resource: Resource<any Sendable>.Snapshot?) {
    self =
      resource?.activity?.isLoading == true ? .failed : resource?.failure == nil ? .loading : .idle
  }

  var name: String {
    switch self {
    case .idle: "idle"
    case .loading: "loading"
    case .failed: "failed"
    }
  }

  var state: LoadingState<Never> {
    switch self {
    case .idle: .idle
    case .loading: .loading
    case .failed:
      .failed(DescribedError("This failure was made for a look at it.", advice: "Load again."))
    }
  }
}

extension Resource.Snapshot {
  /// Whether the resource can be forced into another state: it can be loaded again, and has no
  /// pending change to lose.
  fileprivate var canBeForced: Bool { canReload && pendingMutationCount == 0 }
}

/// A description of the selected resource and its events, or the events of all resources.
private struct InspectedEvents: View {
  let row: InspectorRow
  let timeline: [LoadingObserver.Report]
  /// Whether there is only room for the events.
  let isLow: Bool
  let now: AnyClock.Instant

  private struct Event: Identifiable {
    /// The event's index in the timeline.
    let id: Int
    let report: LoadingObserver.Report
  }

  var body: some View {
    let selected = row.resource
    let events = timeline.enumerated().reversed().compactMap { index, report in
      selected == nil || report.resource == selected?.id && report.name == selected?.name
        ? Event(id: index, report: report) : nil
    }
    let width = EventRow.timeWidth(timeline.last?.record.at)
    VStack(alignment: .leading) {
      Text(row.resource?.description(at: now) ?? "What happened to any of them, the newest first:")
        .foregroundStyle(\.secondary).lineLimit(2).collapsed(isLow)
      if events.isEmpty { Text("Nothing has happened yet.") }
      List(events) { event in
        EventRow(
          at: event.report.record.at,
          line: event.report.record.line(of: selected == nil ? event.report.name : nil),
          timeWidth: width)
      }
    }
  }
}

/// A row of the inspector: a resource, or all resources.
struct InspectorRow: Identifiable {
  enum ID: Hashable {
    case all
    case resource(ObjectIdentifier)
  }

  let id: ID
  let resource: Resource<any Sendable>.Snapshot?

  /// Makes the row for all resources.
  init() {
    id = .all
    resource = nil
  }

  init(_ resource: Resource<any Sendable>.Snapshot) {
    id = .resource(resource.id)
    self.resource = resource
  }
}

private struct InspectorRowView: View {
  let row: InspectorRow
  /// The number of resources.
  let count: Int
  let width: Int
  let now: AnyClock.Instant

  private static let widthForAll = 56

  var body: some View {
    if let resource = row.resource {
      let color: KeyPath<Theme, Color> = resource.failure == nil ? \.accent : \.failure
      let name = resource.isShown ? Text(resource.name).bold() : Text(resource.name)
      if width < Self.widthForAll {
        (Text(resource.status).foregroundStyle(color) + Text(": ") + name).lineLimit(1)
      } else {
        HStack {
          Text(resource.status).foregroundStyle(color).lineLimit(1)
            .frame(width: 18, alignment: .leading)
          name.lineLimit(1)
          Spacer()
          Text(resource.changes).foregroundStyle(\.warning).lineLimit(1)
          Text(resource.age(at: now) ?? "").foregroundStyle(\.secondary)
            .frame(width: 7, alignment: .trailing)
          Text(resource.ticket?.description ?? "").foregroundStyle(\.secondary)
            .frame(width: 5, alignment: .trailing)
        }
      }
    } else {
      Text(counted(count, "resource")).lineLimit(1)
    }
  }
}
