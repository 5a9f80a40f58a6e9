/// What keys do here: the keys, a word for the footer, and the action.
@MainActor
public struct KeyBinding {
  /// The keys, the one to be shown first.
  public let keys: [KeyPress]
  /// What they do, in a word or two: "reload".
  public let label: String
  /// Where the footer shows it.
  public let footer: FooterPlace
  /// The name of the action that they do, if it has one.
  var actionName: String?
  let action: @MainActor () -> Void

  /// Does what the keys do.
  public func callAsFunction() { action() }

  /// The same binding with some of its keys; `nil` where none are left.
  func keeping(_ isKept: (KeyPress) -> Bool) -> KeyBinding? {
    let keys = keys.filter(isKept)
    guard !keys.isEmpty else { return nil }
    return KeyBinding(
      keys: keys, label: label, footer: footer, actionName: actionName, action: action)
  }
}

/// Which bindings a ``KeyFooter`` shows before others.
public enum FooterPlace: Hashable, Sendable {
  /// Before the others.
  case first
  /// Where there is room beside those.
  case ifRoom
  /// Only a ``KeyList`` shows it: moving and typing need no reminder.
  case never
}

/// A binding with its place, while a frame is built.
struct DeclaredBinding {
  /// From where a binding can be reached.
  enum Reach {
    /// When its view, or one inside it, has the focus.
    case focus
    /// From anywhere in its pane, together with all of the same key that are there.
    case pane
  }

  let binding: KeyBinding
  let path: ViewPath
  let layer: Int
  let reach: Reach
  let section: ViewPath
  /// What the pane is called, if it has a name.
  let sectionTitle: String?
}

extension View {
  /// Does something when a key is pressed while it, or a view inside it, has the focus.
  ///
  /// The footer shows `label` beside the first of the keys; without `inFooter` only where there is
  /// room beside the others. While `isActive` does not hold, the keys mean nothing here.
  public func onKeyPress(
    _ keys: KeyPress..., label: String, inFooter: Bool = true, when isActive: Bool = true,
    action: @escaping @MainActor () -> Void
  ) -> some View {
    onKeyPress(
      isActive
        ? [
          KeyBinding(
            keys: keys, label: label, footer: inFooter ? .first : .ifRoom, action: action)
        ] : [])
  }

  func onKeyPress(_ bindings: [KeyBinding]) -> some View {
    Modified(self, role: .content) { context, node in
      bindings.isEmpty ? node : KeyBindingNode(context, node, bindings, reach: .focus)
    }
  }
}

final class KeyBindingNode: WrapperNode {
  private let bindings: [KeyBinding]
  private let reach: DeclaredBinding.Reach

  init(
    _ context: ViewContext, _ content: Node, _ bindings: [KeyBinding],
    reach: DeclaredBinding.Reach
  ) {
    self.bindings = bindings
    self.reach = reach
    super.init(context, content)
  }

  override func draw(in region: Region) {
    // A key that acts on all of a pane acts on what the user sees of it.
    if reach == .focus || region.isOnScreen {
      for binding in bindings { context.declare(binding, reach: reach) }
    }
    super.draw(in: region)
  }
}

extension ViewContext {
  /// Puts a binding in force for this frame; copies and disabled views have none.
  func declare(_ binding: KeyBinding, reach: DeclaredBinding.Reach = .focus) {
    guard environment.isEnabled, !environment.isInert else { return }
    frame.declare(
      .binding(
        DeclaredBinding(
          binding: binding, path: path, layer: frame.layer, reach: reach,
          section: environment.focusSection, sectionTitle: environment.focusSectionTitle)))
  }

  func declare(
    _ keys: KeyPress..., label: String, inFooter: Bool = false,
    action: @escaping @MainActor () -> Void
  ) {
    declare(
      KeyBinding(keys: keys, label: label, footer: inFooter ? .first : .never, action: action))
  }
}

extension FrameBuilder {
  /// The bindings in force at a layer, the first of a key being the one that gets it.
  func bindingsInForce(layer: Int) -> [DeclaredBinding] {
    // The footer asks, the list of keys, and the frame.
    if let inForce, inForce.layer == layer, inForce.count == list.count { return inForce.bindings }
    let found = findBindingsInForce(layer: layer)
    inForce = (layer, list.count, found)
    return found
  }

  private func findBindingsInForce(layer: Int) -> [DeclaredBinding] {
    let declarations = declarations
    let here = declarations.bindings.filter { $0.layer == layer }
    guard let focus = focus[layer] else { return here.sorted { $0.path.depth > $1.path.depth } }
    let place = declarations.focusables.first { $0.path == focus }
    let section = place?.section ?? .root
    // As this frame has it: its paths share their beginnings, and those of another frame are compared
    // step by step.
    let path = place?.path ?? focus
    let inner = here.filter { path.isWithin($0.path) }.sorted { $0.path.depth > $1.path.depth }
    let around = here.filter {
      $0.reach == .pane && !path.isWithin($0.path) && $0.section == section
    }
    // Between what the pane's own parts answer to and what the screens around it do.
    let (near, far) = (
      inner.filter { $0.path.isWithin(section) }, inner.filter { !$0.path.isWithin(section) }
    )
    let all = near + around + far
    return declarations.textInput(focused: focus, layer: layer) == nil
      ? all : all.compactMap { $0.withoutPrintableKeys }
  }
}

@MainActor
extension DeclaredBinding {
  /// What is left of it while characters are text.
  var withoutPrintableKeys: DeclaredBinding? {
    keeping { $0.printable == nil }
  }

  func keeping(_ isKept: (KeyPress) -> Bool) -> DeclaredBinding? {
    binding.keeping(isKept).map {
      DeclaredBinding(
        binding: $0, path: path, layer: layer, reach: reach, section: section,
        sectionTitle: sectionTitle)
    }
  }
}
