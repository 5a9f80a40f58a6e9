import Loading
import Socks
import TerminalUI

/// The list of socks; only those on the screen are loaded.
struct DrawerList: View {
  let model: DrawerModel

  var body: some View {
    GeometryReader { SockRows(model: model, size: $0) }
      .onChange(of: model.drawer.listedQuery.filter) { _, filter in
        if filter != .all { model.select(.place(0)) }
      }
      .onChange(of: model.selectionAnchor) { model.settleSelection() }
  }
}

/// The rows, which are not made again when another one is selected.
private struct SockRows: View {
  let model: DrawerModel
  let size: Size

  var body: some View {
    let layout = SockRow.Layout(size)
    AsyncContentView(model.drawer.list.count) { count in
      if model.drawer.list.count.latestValue == nil {
        SampleRows(model: model, count: count, layout: layout)
      } else {
        let rows = model.rows
        List(rows, selection: selection(in: rows), onSubmit: open) { row in
          DrawerListRow(model: model, row: row, layout: layout)
        }
        .defaultFocus()
      }
    }
    .placeholder(size.height / layout.height)
    .empty(when: { _ in model.rows.isEmpty }) { NoSocks(model: model) }
    // The title line shows reloads: an indicator over the rows would cover the state of a sock.
    .loadingViewStyle(afterValue: .hidden)
    .accessibilityLabel("Socks")
  }

  // Uses the rows on the screen: making them from the drawer again with each key would observe all
  // of its pages again.
  private func selection(in rows: DrawerRows) -> Binding<DrawerRows.ID?> {
    Binding(
      get: { model.selection(in: rows)?.id },
      set: { if let id = $0 { model.select(id, in: rows) } })
  }

  private func open(_ row: DrawerRows.Row) {
    if row.arrival != nil {
      model.edit()
    } else if let sock = model.content(of: row)?.sock {
      model.open(sock.id)
    }
  }
}

/// A row of the list, which appears when its page has been loaded.
private struct DrawerListRow: View {
  let model: DrawerModel
  let row: DrawerRows.Row
  let layout: SockRow.Layout

  var body: some View {
    HStack {
      if let place = row.place {
        let list = model.drawer.list
        AsyncContentView(list.pages[place / list.pageSize]) { page in
          if let content = model.content(of: row) ?? (page == [.sample] ? .sample : nil) {
            view(of: content)
          }
        }
        .placeholder([.sample])
        .failure { _, _ in
          FailureText("This sock could not be loaded.").foregroundStyle(\.failure).lineLimit(1)
        }
        .loadingViewStyle(initial: .hidden, afterValue: .hidden, afterError: .hidden)
      } else if let content = model.content(of: row) {
        view(of: content)
      }
    }
    .frame(height: layout.height, alignment: .topLeading)
    .frame(maxWidth: .infinity, alignment: .leading)
    // The list's own keys act on the selected row, so Tab does not stop at rows.
    .disabled(true)
    .environment(\.loadingViewOptions.isPart, true)
  }

  private func view(of content: DrawerRow) -> some View {
    SockRow(
      row: content, layout: layout,
      isMarked: model.pairing?.id == content.id || model.marked[content.id] != nil, model: model
    )
  }
}

extension DrawerListRow: @MainActor Equatable {
  static func == (one: DrawerListRow, other: DrawerListRow) -> Bool {
    // A sock that is being added is not in any page, so its row is always drawn again.
    one.model === other.model && one.layout == other.layout && one.row.id == other.row.id
      && one.row.place == other.row.place && one.row.arrival == nil && other.row.arrival == nil
  }
}

/// A placeholder that fills the screen with rows until the number of socks is known.
private struct SampleRows: View {
  let model: DrawerModel
  let count: Int
  let layout: SockRow.Layout

  var body: some View {
    VStack(alignment: .leading) {
      ForEach(0..<count) { _ in
        SockRow(row: .sample, layout: layout, isMarked: false, model: model)
          .frame(height: layout.height)
      }
    }
  }
}

/// The message if no sock is listed.
private struct NoSocks: View {
  let model: DrawerModel

  var body: some View {
    VStack(alignment: .leading) {
      if model.drawer.query.filter == .all {
        Text("The drawer is empty.")
        KeyHint(.addSock, "to add a sock")
      } else {
        Text("No socks match “\(model.drawer.query.filter.text)”.")
        KeyHint(.back, "to see all socks")
      }
    }
    .frame(maxWidth: .infinity, maxHeight: .infinity)
  }
}
