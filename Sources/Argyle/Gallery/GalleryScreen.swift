import Loading
import TerminalUI

/// A wall of colours, each of which comes, or fails, by itself.
struct GalleryScreen: View {
  let model: GalleryModel

  var body: some View {
    let state = model.selectedState
    VStack(alignment: .leading) {
      GalleryHeader(model: model)
      LazyVGrid(
        model.cells, columns: 3, rowHeight: 3, selection: Binding(model, \.selected)
      ) { cell, isSelected in
        // The gallery's own keys work on the selected cell: a cell is no stop for Tab.
        GalleryCell(resource: model.resource(of: cell.id), isSelected: isSelected)
          .disabled(true)
          .border(
            isSelected ? "▸ \(cell.id + 1)" : "\(cell.id + 1)",
            color: isSelected ? \.accent : \.separator)
      }
      .defaultFocus()
    }
    .onKeyPress(action: .reload, label: reloading(state), when: !state.isLoading) {
      model.reloadSelected()
    }
    .onKeyPress(action: .cancelCell, when: state.isLoading) { model.cancel() }
    .onKeyPress(action: .retryFailed, when: model.counts.failed > 0) {
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

/// How many cells are in which state: in words, or by signs where there is no room for words.
private struct GalleryHeader: View {
  let model: GalleryModel

  /// From this width on there is room for words.
  private static let widthForWords = 56

  var body: some View {
    let counts = model.counts
    GeometryReader { size in
      let isWide = size.width >= Self.widthForWords
      HStack(spacing: isWide ? 2 : 1) {
        if isWide {
          Text("\(model.cells.count) colours").paneTitle()
          Spacer()
        }
        Text(isWide ? "\(counts.idle) idle" : "·\(counts.idle)").foregroundStyle(\.secondary)
        Text(isWide ? "\(counts.loading) loading" : "…\(counts.loading)").foregroundStyle(\.accent)
        Text(isWide ? "\(counts.failed) failed" : "✗\(counts.failed)").foregroundStyle(\.failure)
        Text(isWide ? "\(counts.loaded) loaded" : "✓\(counts.loaded)").foregroundStyle(\.success)
      }
      .lineLimit(1)
    }
    .frame(height: 1)
  }
}

/// A cell: its colour, or how far loading it has come.
private struct GalleryCell: View, @MainActor Equatable {
  static func == (one: GalleryCell, other: GalleryCell) -> Bool {
    one.resource === other.resource && one.isSelected == other.isSelected
  }

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
        words: Text("✗ ").bold().foregroundStyle(\.failure) + Text("No colour"),
        hint: isSelected ? "to retry" : nil)
    }
    .idle { _ in
      CellLine(
        words: Text("Cancelled").foregroundStyle(\.secondary), hint: isSelected ? "to load" : nil)
    }
    .frame(maxWidth: .infinity, maxHeight: .infinity)
  }
}

/// The error of a cell and, where there is room, what to do about it.
private struct CellLine: View {
  let words: Text
  let hint: String?

  var body: some View {
    GeometryReader { size in
      HStack(spacing: 2) {
        words
        if let hint, size.width >= 28 {
          KeyHint(.reload, hint)
        }
      }
      .lineLimit(1)
      .frame(maxWidth: .infinity, maxHeight: .infinity)
    }
  }
}
