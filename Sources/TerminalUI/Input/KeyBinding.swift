/// Keys, a label for the footer, and the action that the keys perform.
@MainActor
public struct KeyBinding {
  /// The keys, beginning with the one to show.
  public private(set) var keys: [KeySequence]
  /// A label of a word or two, such as “reload”.
  public let label: String
  /// Whether and where the footer shows the binding.
  public private(set) var footer: FooterPlace
  /// The names of the actions that it performs.
  let actions: [String]
  /// Whether it belongs to a control rather than to an action of the program.
  ///
  /// True for the views of this module and for bindings created with a public initializer.
  let isOfView: Bool
  /// Performs the action as many times as the number typed before the key; nil if a number means
  /// nothing.
  let counted: (@MainActor (Int) -> Void)?
  /// Whether the keys work in the sheets in front of the screen too.
  let worksInSheets: Bool
  let action: @MainActor () -> Void
  /// The action without which no footer or list shows the binding; nil to show it anyway.
  private(set) var neededAction: KeyAction?

  /// Whether no footer, list or hint shows it, because its keys do nothing for now.
  var isUnnamed: Bool { label.isEmpty }

  /// Creates a binding of single keys.
  ///
  /// - Parameters:
  ///   - keys: the keys, beginning with the one to show.
  ///   - label: the words for them in the footer and the list of keys.
  ///   - footer: where the footer shows them, if at all.
  ///   - action: what they do.
  public init(
    keys: [KeyPress], label: String, footer: FooterPlace = .first,
    action: @escaping @MainActor () -> Void
  ) {
    self.init(
      sequences: keys.map { KeySequence($0) }, label: label, footer: footer, action: action)
  }

  /// Creates a binding of key sequences, otherwise like ``init(keys:label:footer:action:)``.
  public init(
    sequences: [KeySequence], label: String, footer: FooterPlace = .first,
    action: @escaping @MainActor () -> Void
  ) {
    self.init(
      keys: sequences, label: label, footer: footer, actions: [], isOfView: true, action: action)
  }

  init(
    keys: [KeySequence], label: String, footer: FooterPlace, actions: [String],
    isOfView: Bool = false, counted: (@MainActor (Int) -> Void)? = nil,
    worksInSheets: Bool = false, action: @escaping @MainActor () -> Void
  ) {
    self.keys = keys
    self.label = label
    self.footer = footer
    self.actions = actions
    self.isOfView = isOfView
    self.counted = counted
    self.worksInSheets = worksInSheets
    self.action = action
  }

  /// Returns the same binding with only these keys.
  func with(_ keys: [KeySequence]) -> KeyBinding {
    var copy = self
    copy.keys = keys
    return copy
  }

  /// Returns the same binding, shown in a footer or a list of keys only while `action` is available.
  ///
  /// Its keys work anyway, so that they can say why nothing can be done.
  package func shown(whileAvailable action: KeyAction?) -> KeyBinding {
    var copy = self
    copy.neededAction = action
    return copy
  }

  /// Returns the same binding for a sheet in front of its screen, whose footer has keys of its own.
  fileprivate var inSheet: KeyBinding {
    var copy = self
    copy.footer = .never
    return copy
  }

  /// Performs the action.
  public func callAsFunction() { action() }
}

/// Whether and in which order a ``KeyFooter`` shows bindings.
public enum FooterPlace: Hashable, Sendable {
  /// Shown before all others.
  case first
  /// Shown if there is room beside those.
  case ifRoom
  /// Shown only in a ``KeyList``, because moving and typing need no reminder.
  case never
}

/// A binding with its path, recorded while a frame is built.
@MainActor
final class DeclaredBinding {
  /// From where a binding receives its keys.
  enum Reach {
    /// While its view, or one inside it, has the focus.
    case focus
    /// From anywhere in its pane, together with all bindings there of the same key.
    case pane
    /// Like `pane`, and before the bindings of views around it: for a key that a hint of its view
    /// shows, such as “r to retry”.
    case paneByHint

    var isPane: Bool { self != .focus }
  }

  let binding: KeyBinding
  let path: ViewPath
  let layer: Int
  let reach: Reach
  let section: ViewPath
  /// The title of the pane, if it has one.
  let sectionTitle: String?

  init(
    _ binding: KeyBinding, path: ViewPath, layer: Int, reach: Reach, section: ViewPath,
    sectionTitle: String?
  ) {
    self.binding = binding
    self.path = path
    self.layer = layer
    self.reach = reach
    self.section = section
    self.sectionTitle = sectionTitle
  }

  /// Whether another binding has the same keys, label and path, whatever its action does.
  func isSame(as other: DeclaredBinding) -> Bool {
    self === other
      || path == other.path && reach == other.reach && section == other.section
        && sectionTitle == other.sectionTitle && binding.keys == other.binding.keys
        && binding.label == other.binding.label && binding.footer == other.binding.footer
  }

  /// Returns the binding as it is in force in a layer; `nil` if it belongs to another one.
  func inForce(in layer: Int) -> DeclaredBinding? {
    if self.layer == layer { return self }
    guard binding.worksInSheets, self.layer < layer else { return nil }
    return with(binding.inSheet, layer: layer)
  }

  /// Returns the same binding with only the keys that `isKept` selects; `nil` if there are none.
  func keeping(_ isKept: (KeySequence) -> Bool) -> DeclaredBinding? {
    let keys = binding.keys.filter(isKept)
    guard !keys.isEmpty else { return nil }
    return keys.count == binding.keys.count ? self : with(binding.with(keys), layer: layer)
  }

  private func with(_ binding: KeyBinding, layer: Int) -> DeclaredBinding {
    DeclaredBinding(
      binding, path: path, layer: layer, reach: reach, section: section, sectionTitle: sectionTitle)
  }
}

extension View {
  /// Runs an action when a key is pressed while this view, or one inside it, has the focus.
  ///
  /// The footer shows `label` beside the first of the keys, at the place that `footer` determines.
  /// While `isActive` is `false`, the keys do nothing here.
  ///
  /// The view nearest to the focus gets a key first: the keys of a list, a scroll view or a text field
  /// do not reach the views around it. A row of a list never has the focus. If nothing on the screen
  /// has the focus, the keys of every view work.
  public func onKeyPress(
    _ keys: KeyPress..., label: String, footer: FooterPlace = .first, when isActive: Bool = true,
    action: @escaping @MainActor () -> Void
  ) -> some View {
    onKeyPress(
      isActive ? [KeyBinding(keys: keys, label: label, footer: footer, action: action)] : [])
  }

  /// Binds several keys while this view, or one inside it, has the focus.
  ///
  /// Use it for keys that are known only when the program runs.
  public func onKeyPress(_ bindings: [KeyBinding]) -> some View {
    bound(reach: .focus) { _ in bindings }
  }

  /// Puts the bindings that `bindings` makes in force, from where `reach` says.
  func bound(
    reach: DeclaredBinding.Reach, _ bindings: @escaping @MainActor (ViewContext) -> [KeyBinding]
  ) -> Modified<Self> {
    Modified(self, role: .content) { context, node in
      let bindings = bindings(context)
      guard !bindings.isEmpty else { return node }
      return DrawnNode(context, node) { context, content, region in
        // A key that acts on a whole pane acts only on the visible part of it.
        if reach == .focus || region.isOnScreen {
          for binding in bindings { context.declare(binding, reach: reach) }
        }
        content.draw(in: region)
      }
    }
  }
}

extension ViewContext {
  /// Puts a binding in force for this frame, except in inert copies and disabled views.
  func declare(_ binding: KeyBinding, reach: DeclaredBinding.Reach = .focus) {
    guard environment.isEnabled, !environment.isInert, !environment.isMouseOnly else { return }
    frame.declare(
      .binding(
        DeclaredBinding(
          binding, path: path, layer: frame.layer, reach: reach,
          section: environment.focusSection, sectionTitle: environment.focusSectionTitle)))
  }

  func declare(
    _ keys: KeyPress..., label: String, footer: FooterPlace = .never,
    action: @escaping @MainActor () -> Void
  ) {
    declare(KeyBinding(keys: keys, label: label, footer: footer, action: action))
  }
}
