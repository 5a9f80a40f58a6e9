import Loading
import TerminalUI

/// The options of the example on most pages.
struct ExampleOptions: Equatable {
  /// How a load is shown at one moment, such as after a failure.
  struct Look: Equatable {
    var style = StyleChoice.overContent
    var alignment = Alignment.topTrailing
    var spacing = 1
    var opacity = 1.0
    var hasOwnIndicator = false
  }

  var first = Look(style: .automatic, alignment: .center)
  var afterValue = Look()
  var afterError = Look()
  var hasPlaceholder = true
  var redaction = RedactionStyle.blocks
  var ownViews: Set<OwnView> = []
  var gate = IndicatorGate()
  var progress = Progress.none
  var errorPolicy = ErrorPolicy.keep
  var allowsRetry = true
  var startsOnAppear = true
  /// The number of elements that are changed at once.
  var changeCount = 1
  var timing = Timing.optimistic
  var undoWindow = Duration.zero

  enum StyleChoice: String, CaseIterable {
    /// What the library shows by itself.
    case automatic
    case hidden, material, leading, trailing, top, bottom
    case overContent = "over content"
    case custom
  }

  /// A default view that a custom one can replace.
  enum OwnView { case loading, error, empty, idle }

  enum Progress: String, CaseIterable {
    case none
    case message = "in words"
    case fraction = "in percent"
  }

  enum Timing: String, CaseIterable { case optimistic, confirmed }
}

extension ExampleOptions {
  /// The options of the screens that articles about loading states commonly use, and of other
  /// familiar screens.
  enum Preset: String, CaseIterable {
    case own = "your own"
    case list = "article list"
    case profile
    case gallery = "colour gallery"
    case download
    case editor = "sock editor"
    case drawer = "sock drawer"
    case pull = "pull to refresh"
    case silent

    /// The options of the preset; nil if the user chooses them.
    var options: ExampleOptions? {
      var options = ExampleOptions()
      switch self {
      case .own: return nil
      // One state and one generic view, with a placeholder made from the content.
      case .list: break
      // Several loads that are shown as one.
      case .profile:
        options.hasPlaceholder = false
        options.afterValue = Look(style: .material, alignment: .center)
      // A store with a state for each of many cells.
      case .gallery:
        options.redaction = .shimmer
        options.first.style = .hidden
        options.afterValue = Look(alignment: .center, opacity: 0.5)
        options.afterError = Look(alignment: .center, opacity: 0.3)
      // A load that reports its progress, starts by a key and can be cancelled.
      case .download:
        options.hasPlaceholder = false
        options.startsOnAppear = false
        options.progress = .fraction
        options.afterValue = Look(style: .bottom, alignment: .bottomLeading)
        options.afterError = Look(style: .bottom, alignment: .bottomLeading)
      // A loaded value that is changed, and a change that can be undone.
      case .editor:
        options.first = Look(style: .material, alignment: .center)
        options.afterValue = Look(style: .trailing, alignment: .trailing, spacing: 2)
        options.afterError = Look(style: .trailing, alignment: .trailing, spacing: 2)
        options.undoWindow = .seconds(3)
      // A style of its own for each moment, and several rows that are being changed.
      case .drawer:
        options.first = Look(style: .material, alignment: .center, hasOwnIndicator: true)
        options.afterValue = Look(style: .bottom, alignment: .bottomLeading, opacity: 0.7)
        options.afterError = Look(style: .leading, alignment: .leading, opacity: 0.3)
        options.changeCount = 3
        options.timing = .confirmed
      case .pull:
        options.afterValue = Look(style: .top, alignment: .top)
        options.afterError = Look(style: .top, alignment: .top)
      case .silent:
        options.first.style = .hidden
        options.afterValue.style = .hidden
        options.afterError.style = .hidden
      }
      return options
    }
  }
}

extension ExampleOptions.Look {
  /// A row below the content, which covers nothing of it.
  static let belowContent = Self(style: .bottom, alignment: .bottomLeading, spacing: 0)

  @MainActor
  var viewStyle: LoadingViewStyle? {
    switch style {
    case .automatic: nil
    case .hidden: .hidden
    case .material: .material
    case .leading:
      .horizontal(.leading, opacity: opacity, alignment: alignment.vertical, spacing: spacing)
    case .trailing:
      .horizontal(.trailing, opacity: opacity, alignment: alignment.vertical, spacing: spacing)
    case .top:
      .vertical(.top, opacity: opacity, alignment: alignment.horizontal, spacing: spacing)
    case .bottom:
      .vertical(.bottom, opacity: opacity, alignment: alignment.horizontal, spacing: spacing)
    case .overContent: .overContent(alignment, opacity: opacity)
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
}
