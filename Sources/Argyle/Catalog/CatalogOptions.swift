import Loading
import TerminalUI

/// The options of a loading view.
struct CatalogOptions: Equatable {
  var initial = StyleChoice.overContent
  var afterValue = StyleChoice.overContent
  var afterError = StyleChoice.overContent
  var alignment = AlignmentChoice.topTrailing
  var dims = Switch.off
  var spacing = Spacing.one
  var delay = Delay.usual
  var minimum = Minimum.usual
  var placeholder = Switch.on
  var redaction = Redaction.blocks
  var indicator = Indicator.usual
  var progress = Switch.off
  var failure = FailureChoice.keep

  enum StyleChoice: String, CaseIterable {
    case none, material, leading, trailing, top, bottom
    case overContent = "over content"
    case custom
  }

  enum AlignmentChoice: String, CaseIterable {
    case topLeading = "top left"
    case top
    case topTrailing = "top right"
    case leading = "left"
    case center
    case trailing = "right"
    case bottomLeading = "bottom left"
    case bottom
    case bottomTrailing = "bottom right"
  }

  enum Switch: String, CaseIterable { case on, off }

  enum Redaction: String, CaseIterable { case blocks, shimmer, dots }

  enum Spacing: String, CaseIterable {
    case none = "0"
    case one = "1"
    case three = "3"
  }

  enum Delay: String, CaseIterable {
    case none = "0 ms"
    case usual = "200 ms"
    case long = "1000 ms"
  }

  enum Minimum: String, CaseIterable {
    case none = "0 ms"
    case usual = "400 ms"
    case long = "2000 ms"
  }

  enum Indicator: String, CaseIterable {
    case usual
    case own = "custom"
  }

  enum FailureChoice: String, CaseIterable { case keep, replace }
}

/// One of the options, with its values as words.
struct CatalogOption: Identifiable {
  let name: String
  let value: @MainActor (CatalogOptions) -> String
  /// Chooses the next value, or with -1 the one before.
  let step: @MainActor (inout CatalogOptions, Int) -> Void
  var id: String { name }

  init<Choice: CaseIterable & RawRepresentable & Equatable>(
    _ name: String, _ path: WritableKeyPath<CatalogOptions, Choice> & Sendable
  ) where Choice.RawValue == String {
    self.name = name
    value = { $0[keyPath: path].rawValue }
    step = { options, step in
      let all = Array(Choice.allCases)
      let index = all.firstIndex(of: options[keyPath: path]) ?? 0
      options[keyPath: path] = all[(index + step + all.count) % all.count]
    }
  }

  @MainActor static let all = [
    CatalogOption("First load", \.initial),
    CatalogOption("Over a value", \.afterValue),
    CatalogOption("After an error", \.afterError),
    CatalogOption("Alignment", \.alignment),
    CatalogOption("Dim the content", \.dims),
    CatalogOption("Spacing", \.spacing),
    CatalogOption("Placeholder", \.placeholder),
    CatalogOption("Redaction", \.redaction),
    CatalogOption("First indicator", \.indicator),
    CatalogOption("Delay", \.delay),
    CatalogOption("Shown at least", \.minimum),
    CatalogOption("Progress", \.progress),
    CatalogOption("A failure will", \.failure),
  ]
}

extension CatalogOptions {
  @MainActor
  func style(_ choice: StyleChoice) -> LoadingViewStyle {
    let opacity = dims == .on ? 0.5 : 1
    let space = Int(spacing.rawValue) ?? 1
    let (across, down) = (alignment.alignment.horizontal, alignment.alignment.vertical)
    return switch choice {
    case .none: .none
    case .material: .material
    case .leading: .horizontal(.leading, opacity: opacity, alignment: down, spacing: space)
    case .trailing: .horizontal(.trailing, opacity: opacity, alignment: down, spacing: space)
    case .top: .vertical(.top, opacity: opacity, alignment: across, spacing: space)
    case .bottom: .vertical(.bottom, opacity: opacity, alignment: across, spacing: space)
    case .overContent: .overContent(alignment.alignment, opacity: opacity)
    case .custom:
      .custom { content, progress in
        AnyView(
          VStack(alignment: .leading) {
            Text(progress?.percent.map { "≈ \($0) percent loaded" } ?? "≈ loading ≈")
              .italic().foregroundStyle(\.warning).lineLimit(1)
            content
          })
      }
    }
  }

  var gate: IndicatorGate {
    IndicatorGate(delay: delay.duration, minimum: minimum.duration)
  }
}

extension CatalogOptions.AlignmentChoice {
  fileprivate var alignment: Alignment {
    switch self {
    case .topLeading: .topLeading
    case .top: .top
    case .topTrailing: .topTrailing
    case .leading: .leading
    case .center: .center
    case .trailing: .trailing
    case .bottomLeading: .bottomLeading
    case .bottom: .bottom
    case .bottomTrailing: .bottomTrailing
    }
  }
}

extension CatalogOptions.Redaction {
  var style: RedactionStyle {
    switch self {
    case .blocks: .blocks
    case .shimmer: .shimmer
    case .dots: .dots
    }
  }
}

extension CatalogOptions.Delay {
  fileprivate var duration: Duration {
    switch self {
    case .none: .zero
    case .usual: .milliseconds(200)
    case .long: .seconds(1)
    }
  }
}

extension CatalogOptions.Minimum {
  fileprivate var duration: Duration {
    switch self {
    case .none: .zero
    case .usual: .milliseconds(400)
    case .long: .seconds(2)
    }
  }
}
