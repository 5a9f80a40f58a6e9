import Loading
import TerminalUI

/// The options of the example that most pages show.
struct ExampleOptions: Equatable {
  /// How a load of one moment is shown.
  struct Look: Equatable {
    var style = StyleChoice.overContent
    var alignment = Alignment.topTrailing
    var spacing = 1
    var opacity = 1.0
    var hasOwnIndicator = false
  }

  var first = Look(alignment: .center)
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
  /// How many elements one change is made to.
  var changeCount = 1
  var timing = Timing.optimistic
  var undoWindow = Duration.zero

  enum StyleChoice: String, CaseIterable {
    case none, material, leading, trailing, top, bottom
    case overContent = "over content"
    case custom
  }

  /// A view of one's own in place of the usual one.
  enum OwnView { case loading, error, empty, idle }

  enum Progress: String, CaseIterable {
    case none
    case message = "in words"
    case fraction = "in percent"
  }

  enum Timing: String, CaseIterable { case optimistic, confirmed }
}

extension ExampleOptions {
  /// Screens whose ways of loading are known from elsewhere, and what they choose.
  enum Preset: String, CaseIterable {
    case own = "your own"
    case list = "article list"
    case profile
    case image = "image gallery"
    case pull = "pull to refresh"
    case row = "sock row"
    case settings = "view options"
    case silent

    /// What it chooses; nil where the choice is the user's.
    var options: ExampleOptions? {
      var options = ExampleOptions()
      switch self {
      case .own: return nil
      case .list: break
      case .profile:
        options.hasPlaceholder = false
        options.afterValue = Look(style: .material, alignment: .center)
      case .image:
        options.redaction = .shimmer
        options.first.style = .none
        options.afterValue = Look(alignment: .center, opacity: 0.5)
        options.afterError = Look(alignment: .center, opacity: 0.3)
      case .pull:
        options.afterValue = Look(style: .top, alignment: .top)
        options.afterError = Look(style: .top, alignment: .top)
      case .row:
        options.afterValue = Look(style: .trailing, alignment: .trailing, spacing: 2)
        options.afterError = Look(style: .trailing, alignment: .trailing, spacing: 2)
      case .settings:
        options.first = Look(style: .material, alignment: .center, hasOwnIndicator: true)
        options.afterValue = Look(style: .bottom, alignment: .bottomLeading, opacity: 0.7)
        options.afterError = Look(style: .leading, alignment: .leading, opacity: 0.3)
      case .silent:
        options.first.style = .none
        options.afterValue.style = .none
        options.afterError.style = .none
      }
      return options
    }
  }
}

extension ExampleOptions.Look {
  @MainActor
  var viewStyle: LoadingViewStyle {
    switch style {
    case .none: .none
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
