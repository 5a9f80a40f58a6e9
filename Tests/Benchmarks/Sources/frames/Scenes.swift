import Loading
import LoadingTesting
import TerminalUI

/// What is drawn: screens like those of a program.
@MainActor
struct Scene {
  let name: String
  /// Pressed by turns, one before each frame.
  let keys: [KeyPress]
  /// Makes what is shown, once; what that returns hosts it, as often as wanted.
  let prepare: () -> () -> ViewHost

  static let all = [
    Scene(name: "list-1000", keys: ["j"]) { showing(ListScreen(count: 1_000)) },
    Scene(name: "list-100000", keys: ["j"]) { showing(ListScreen(count: 100_000)) },
    Scene(name: "reader", keys: ["j", "k"]) { showing(TextScreen()) },
    Scene(name: "gallery-100", keys: ["l", "h"]) { GalleryScreen.hosting(count: 100) },
    Scene(name: "gallery-10000", keys: ["l", "h"]) { GalleryScreen.hosting(count: 10_000) },
  ]

  static func showing(_ view: some View) -> () -> ViewHost { { ViewHost(view) } }
}

struct ListScreen: View {
  struct Item: Identifiable {
    let id: Int
    let title: String
  }

  let items: [Item]

  init(count: Int) {
    items = (0..<count).map {
      Item(id: $0, title: "Article \($0) of a list that is scrolled, with a title of some length")
    }
  }

  var body: some View {
    VStack(alignment: .leading) {
      Text("Articles").bold().foregroundStyle(\.accent)
      List(items) { item in
        HStack {
          Text(item.title).lineLimit(1)
          Spacer()
          Text("12 Nov").foregroundStyle(\.secondary).lineLimit(1)
        }
      }
      KeyFooter()
    }
  }
}

struct TextScreen: View {
  private static let paragraph = String(
    repeating: "A reader shows what was written, in lines of a comfortable measure. ", count: 8)

  var body: some View {
    VStack(alignment: .leading) {
      Text("An article").bold()
      ScrollView {
        RichText(id: 0) {
          (0..<200).map { _ in RichText.Block { StyledText(Self.paragraph).wrapped(width: $0) } }
        }
      }
      KeyFooter()
    }
  }
}

/// Cells of which every other one is loaded, and the others are being loaded.
struct GalleryScreen: View {
  struct Cell: Identifiable {
    let id: Int
    let resource: Resource<Int>
  }

  let cells: [Cell]

  static func hosting(count: Int) -> () -> ViewHost {
    let runtime = ManualRuntime()
    let cells = (0..<count).map { id in
      let resource = runtime.resource(
        Loader<Int> { context in
          try await context.clock.sleep(for: .seconds(id.isMultiple(of: 2) ? 1 : 1_000_000))
          return id
        })
      resource.load()
      return Cell(id: id, resource: resource)
    }
    runtime.advance(by: .seconds(2))
    return {
      ViewHost(
        GalleryScreen(cells: cells), clock: runtime.clock.any, scheduler: runtime.scheduler)
    }
  }

  var body: some View {
    VStack(alignment: .leading) {
      Text("\(cells.count) cells")
      LazyVGrid(cells, columns: 3, rowHeight: 3) { cell, isSelected in
        AsyncContentView(cell.resource) { value in
          Text("#\(value)").frame(maxWidth: .infinity, maxHeight: .infinity)
            .background(.palette(UInt8(value % 256)))
        }
        .frame(maxWidth: .infinity, maxHeight: .infinity)
        .disabled(true)
        .border(isSelected ? "▸ \(cell.id)" : "\(cell.id)")
      }
      KeyFooter()
    }
  }
}

/// Stacks in stacks, in either direction by turns, each of which has text beside the next one.
struct Nested: View {
  let depth: Int

  var body: some View {
    if depth == 0 {
      Text("the innermost text").frame(maxWidth: .infinity)
    } else if depth.isMultiple(of: 2) {
      HStack {
        Text("beside")
        AnyView(Nested(depth: depth - 1))
        Text("beside")
      }
    } else {
      VStack {
        Text("above")
        AnyView(Nested(depth: depth - 1))
        Text("below")
      }
    }
  }
}
