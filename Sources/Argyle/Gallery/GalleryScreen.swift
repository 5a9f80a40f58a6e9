import Loading
import TerminalUI

/// A wall of colours, each of which comes, or fails, by itself.
struct GalleryScreen: View {
  let model: GalleryModel

  var body: some View {
    let state = model.selectedState
    VStack(alignment: .leading) {
      HStack {
        Text("\(model.cells.count) colours").bold().foregroundStyle(\.accent).lineLimit(1)
        Spacer()
        GalleryCounts(model: model)
      }
      LazyVGrid(
        model.cells, columns: 3, rowHeight: 3, selection: Binding(model, \.selected)
      ) { cell, isSelected in
        // The gallery's own keys work on the selected cell: a cell is no stop for Tab.
        GalleryCell(resource: model.resource(of: cell.id), isSelected: isSelected).disabled(true)
          .border(
            isSelected ? "▸ \(cell.id + 1)" : "\(cell.id + 1)",
            color: isSelected ? \.accent : \.separator)
      }
      .defaultFocus()
    }
    .onKeyPress("r", label: reloading(state), when: !state.isLoading) { model.reloadSelected() }
    .onKeyPress("c", label: "cancel", when: state.isLoading) { model.cancel() }
    .onKeyPress("R", label: "retry all failed", when: model.counts.failed > 0) {
      model.retryFailed()
    }
  }

  private func reloading(_ state: LoadingState<Swatch>) -> String {
    switch state {
    case .failed: "retry"
    case .loaded: "reload"
    case .idle, .loading: "load"
    }
  }
}

/// How many cells are in which state.
private struct GalleryCounts: View {
  let model: GalleryModel

  var body: some View {
    let counts = model.counts
    HStack(spacing: 2) {
      Text("\(counts.idle) idle").foregroundStyle(\.secondary)
      Text("\(counts.loading) loading").foregroundStyle(\.accent)
      Text("\(counts.failed) failed").foregroundStyle(\.failure)
      Text("\(counts.loaded) loaded").foregroundStyle(\.success)
    }
    .lineLimit(1)
  }
}

/// What there is of one colour.
private struct GalleryCell: View {
  let resource: Resource<Swatch>
  let isSelected: Bool

  var body: some View {
    AsyncContentView(resource) { swatch in
      Text(swatch.name).foregroundStyle(swatch.ink)
        .frame(maxWidth: .infinity, maxHeight: .infinity)
        .background(swatch.color)
    }
    .failure { _, _ in
      CellLine(
        words: Text("✗ ").bold().foregroundStyle(\.failure) + Text("No colour came"),
        hint: isSelected ? "to retry" : nil)
    }
    .idle { _ in
      CellLine(
        words: Text("Cancelled").foregroundStyle(\.secondary), hint: isSelected ? "to load" : nil)
    }
    .frame(maxWidth: .infinity, maxHeight: .infinity)
  }
}

/// What a cell without a colour says, and what `r` does, where there is room for both.
private struct CellLine: View {
  let words: Text
  let hint: String?

  var body: some View {
    GeometryReader { size in
      HStack(spacing: 2) {
        words
        if let hint, size.width >= 28 {
          Text("r").bold().foregroundStyle(\.accent)
            + Text(" \(hint)").foregroundStyle(\.secondary)
        }
      }
      .lineLimit(1)
      .frame(maxWidth: .infinity, maxHeight: .infinity)
    }
  }
}
