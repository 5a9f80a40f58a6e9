import Loading
import TerminalUI

/// A wall of colours, each of which loads, or fails, on its own.
struct GalleryScreen: View {
  let model: GalleryModel
  @Environment(\.isPlain) private var isPlain

  /// From this size on, the cells touch, and all hundred of them fit on the screen in ten columns.
  private static let (widthForMosaic, heightForMosaic, mosaicColumns) = (120, 27, 10)
  /// From this width on, three cells side by side have room for the name of a colour.
  private static let widthForThree = 34

  var body: some View {
    let state = model.selectedState
    VStack(alignment: .leading) {
      GalleryHeader(model: model)
      GeometryReader { size in
        let isMosaic =
          size.width >= Self.widthForMosaic && size.height >= Self.heightForMosaic
        LazyVGrid(
          model.cells,
          columns: isPlain
            ? 1 : isMosaic ? Self.mosaicColumns : size.width < Self.widthForThree ? 2 : 3,
          rowHeight: isPlain ? 1 : isMosaic ? max(3, size.height / Self.mosaicColumns) : 3,
          columnSpacing: isMosaic ? 0 : 1, selection: Binding(model, \.selected)
        ) { cell, isSelected in
          // The gallery's own keys act on the selected cell, so Tab does not stop at cells.
          GalleryCell(
            number: cell.id + 1, resource: model.resource(of: cell.id), isSelected: isSelected
          )
          .disabled(true)
        }
        .defaultFocus()
      }
    }
    // Plain mode announces what a key selected or started.
    .announced(isPlain ? spoken(state) : "")
    .onKeyPress(action: .reload, label: reloading(state), when: !state.isLoading) {
      model.reloadSelected()
    }
    .onKeyPress(action: .cancelCell, when: state.isLoading) { model.cancel() }
    .onKeyPress(action: .retryFailed, when: model.counts.failed > 0) {
      model.retryFailed()
    }
    .onKeyPress(action: .moreAtOnce) { model.changeLimit(by: 1) }
    .onKeyPress(action: .fewerAtOnce) { model.changeLimit(by: -1) }
  }

  private func spoken(_ state: LoadingState<Swatch>) -> String {
    guard let selected = model.selected else { return "" }
    let word =
      switch state {
      case .idle: "not loaded"
      case .loading: "loading"
      case .failed: model.selectedColour.map { "not reloaded, \($0.name)" } ?? "failed, no colour"
      case .loaded(let swatch): "loaded, \(swatch.name)"
      }
    return "Colour \(selected + 1): \(word)."
  }

  private func reloading(_ state: LoadingState<Swatch>) -> String {
    switch state {
    case .failed: "retry"
    case .loaded: "reload"
    case .idle, .loading: "load"
    }
  }
}

/// How many cells are in each state: in words and as a bar, as far as they fit.
private struct GalleryHeader: View {
  let model: GalleryModel
  @Environment(\.isPlain) private var isPlain

  /// From this width on, there is room for all numbers.
  private static let widthForAll = 64
  /// From this width on, there is room for a title and a bar, too.
  private static let widthForBar = 76

  var body: some View {
    let counts = model.counts
    GeometryReader { size in
      Group {
        if size.width >= Self.widthForAll {
          HStack(spacing: 2) {
            Text("\(model.cells.count) colours").paneTitle()
              .collapsed(size.width < Self.widthForBar)
            limit
            if size.width >= Self.widthForBar, !isPlain {
              let notLoading = counts.waiting + counts.idle
              CountBar(counts: [counts.loaded, counts.failed, counts.loading, notLoading])
            } else {
              Spacer()
            }
            Text("\(counts.idle) idle").foregroundStyle(\.secondary)
            if counts.waiting > 0 {
              Text("\(counts.waiting) waiting").foregroundStyle(\.secondary)
            }
            loading(counts)
            failed(counts)
            loaded(counts)
          }
        } else if isPlain {
          HStack {
            Text("\(counts.loaded) of \(model.cells.count) loaded")
            Spacer()
            limit
          }
        } else {
          ViewThatFits(in: .horizontal) {
            narrow(counts, showsLoading: true, showsLimit: true)
            narrow(counts, showsLoading: false, showsLimit: true)
            narrow(counts, showsLoading: true, showsLimit: false)
            narrow(counts, showsLoading: false, showsLimit: false)
          }
        }
      }
      .lineLimit(1)
    }
    .frame(height: 1)
    // Plain mode announces what + and - have changed.
    .announced(isPlain ? model.limitWords : "")
  }

  private var limit: Text { Text(model.limitWords).foregroundStyle(\.secondary) }

  /// What has come of the loads and, as far as there is room, what runs.
  private func narrow(
    _ counts: GalleryModel.Counts, showsLoading: Bool, showsLimit: Bool
  ) -> some View {
    HStack {
      if showsLoading, counts.loading > 0 { loading(counts) }
      if counts.failed > 0 { failed(counts) }
      loaded(counts)
      Spacer()
      if showsLimit { limit }
    }
  }

  private func loading(_ counts: GalleryModel.Counts) -> Text {
    Text("\(counts.loading) loading").foregroundStyle(\.accent)
  }

  private func failed(_ counts: GalleryModel.Counts) -> Text {
    Text("\(counts.failed) failed").foregroundStyle(\.failure)
  }

  private func loaded(_ counts: GalleryModel.Counts) -> Text {
    Text("\(counts.loaded) loaded").foregroundStyle(\.success)
  }
}

/// How many cells are in each state, as a bar of one line.
private struct CountBar: View {
  /// The numbers of loaded, failed, loading and idle cells.
  let counts: [Int]
  @Environment(\.theme) private var theme

  private static let glyphs = ["█", "▓", "▒", "░"]

  var body: some View {
    let colors = [theme.success, theme.failure, theme.accent, theme.separator]
    Canvas(label: "") { [counts] cells in
      var x = 0
      for (index, width) in counts.shares(of: cells.size.width).enumerated() {
        cells.write(
          String(repeating: Self.glyphs[index], count: width), at: Point(x: x, y: 0),
          style: Style(foreground: colors[index]))
        x += width
      }
    }
    .frame(height: 1)
  }
}

extension [Int] {
  /// Divides a length in proportion to these numbers, into whole parts that add up to it; each
  /// number that is not zero gets at least one if there is room.
  func shares(of length: Int) -> [Int] {
    let total = reduce(0, +)
    guard total > 0, length > 0 else { return map { _ in 0 } }
    let isRoomForAll = length >= count { $0 > 0 }
    var shares = map { $0 == 0 ? 0 : Swift.max(isRoomForAll ? 1 : 0, $0 * length / total) }
    // The rounding error goes to the largest share, where it matters least.
    while let largest = indices.max(by: { (shares[$0], self[$0]) < (shares[$1], self[$1]) }) {
      let rest = length - shares.reduce(0, +)
      if rest == 0 { break }
      shares[largest] += rest > 0 ? rest : -1
    }
    return shares
  }
}

/// A cell: its colour, or the progress of its load.
private struct GalleryCell: View, @MainActor Equatable {
  static func == (one: GalleryCell, other: GalleryCell) -> Bool {
    one.number == other.number && one.resource === other.resource
      && one.isSelected == other.isSelected
  }

  let number: Int
  let resource: Resource<Swatch>
  let isSelected: Bool
  @Environment(\.theme) private var theme
  @Environment(\.isPlain) private var isPlain

  var body: some View {
    if isPlain { line } else { tile }
  }

  /// The cell as a line of a list that is read from top to bottom.
  private var line: some View {
    HStack {
      Text("\(number):").frame(width: 4, alignment: .leading)
      AsyncContentView(resource) { swatch in
        Text(resource.currentFailure == nil ? swatch.name : "not reloaded, \(swatch.name)")
      }
      .loading { _ in Text("loading") }
      .failure { _, _ in Text("failed, no colour") }
      .idle { _ in Text("cancelled") }
      // Beside the words, which it would cover otherwise.
      .loadingViewStyle(afterValue: .horizontal(.trailing), afterError: .horizontal(.trailing))
      // The list itself announces the state of the selected cell.
      .environment(\.loadingViewOptions.isPart, true)
    }
    .lineLimit(1)
  }

  private var tile: some View {
    let swatch = resource.latestValue
    // The background is enough to show the colour; on top of it the border only marks the selected
    // cell, and every cell where the terminal has no colours.
    let line =
      swatch.map { isSelected ? $0.ink : $0.color } ?? (isSelected ? theme.accent : theme.separator)
    let titleColor = swatch?.ink ?? (isSelected ? theme.accent : theme.secondary)
    return
      content
      .border(line, title: isSelected ? "▸ \(number)" : "\(number)", titleColor: titleColor)
      .background(swatch?.color ?? .default)
  }

  private var content: some View {
    AsyncContentView(resource) { swatch in
      Text(swatch.name).foregroundStyle(swatch.ink)
        .frame(maxWidth: .infinity, maxHeight: .infinity)
    }
    .placeholder(Swatch(turn: 0))
    .failure { _, _ in
      CellLine(
        words: Text("✗ ").bold().foregroundStyle(\.failure) + Text("No colour"),
        brief: Text("✗ ").bold().foregroundStyle(\.failure) + Text("none"),
        hint: isSelected ? "to retry" : nil)
    }
    .idle { _ in
      CellLine(
        words: Text("Cancelled").foregroundStyle(\.secondary),
        brief: Text("idle").foregroundStyle(\.secondary), hint: isSelected ? "to load" : nil)
    }
    .redactionStyle(.shimmer)
    .frame(maxWidth: .infinity, maxHeight: .infinity)
  }
}

/// The error of a cell and, if there is room, what to do about it.
private struct CellLine: View {
  let words: Text
  /// The short text for cells a few columns wide.
  let brief: Text
  let hint: String?

  var body: some View {
    GeometryReader { size in
      HStack(spacing: 2) {
        ViewThatFits(in: .horizontal) {
          words
          brief
        }
        if let hint, size.width >= 28 {
          KeyHint(.reload, hint)
        }
      }
      .lineLimit(1)
      .frame(maxWidth: .infinity, maxHeight: .infinity)
    }
  }
}

extension Scene {
  static let gallery = [
    Scene(
      "gallery", "A hundred colours, each loaded separately; one in six fails.",
      at: .milliseconds(2100)
    ) { runtime in
      ProgramScene(runtime, part: .gallery)
    }
  ]
}
