/// The values that a view inherits from the views around it.
///
/// Nearly every view copies them and few change them, so values that change often are stored
/// inline, and the rest behind one reference.
public struct EnvironmentValues {
  /// The style in which text is drawn.
  public var style = Style.plain
  /// Whether controls are enabled.
  public var isEnabled = true
  /// Whether the view, or a focusable view around it, has the focus.
  public internal(set) var isFocused = false
  // Whether this is a redacted or dimmed copy: without keys, focus, tasks and state of its own.
  var isInert = false
  // Whether keys and the focus stay outside, and only the mouse reaches the view.
  var isMouseOnly = false
  // The direction of the surrounding stack.
  var stackAxis = Axis.vertical
  /// The alignment of the lines of a text in its region.
  public var multilineTextAlignment = HorizontalAlignment.leading
  /// The maximum number of lines of a text; nil means no limit.
  public var lineLimit: Int?
  /// Why content is redacted; empty if it is not.
  public var redactionReasons: RedactionReasons = []
  private var shared = Shared()

  /// Creates the default values.
  public init() {}

  private final class Shared {
    var values = Values()

    init() {}
    init(_ values: Values) { self.values = values }
  }

  fileprivate struct Values {
    var reduceMotion = false
    var isPlain = false
    var theme = Theme.standard
    var keyMap = KeyMap()
    var focusSection = ViewPath.root
    var focusSectionTitle: String?
    var prefersFocus = false
    var isModifying: ModificationCheck?
    var custom: [ObjectIdentifier: Custom] = [:]
  }

  /// A custom value, shared by all environments that inherit it.
  fileprivate final class Custom {
    let value: Any

    init(_ value: Any) { self.value = value }
  }

  private var values: Values {
    get { shared.values }
    _modify {
      if !isKnownUniquelyReferenced(&shared) { shared = Shared(shared.values) }
      yield &shared.values
    }
  }
}

extension EnvironmentValues {
  /// Tells whether an element of a loaded value is being changed.
  struct ModificationCheck {
    /// The resource, or the object that stands for several resources.
    let resource: ObjectIdentifier
    let check: @MainActor (any Hashable & Sendable) -> Bool

    @MainActor func callAsFunction(_ id: any Hashable & Sendable) -> Bool { check(id) }
  }

  /// Whether words replace animations.
  public var reduceMotion: Bool {
    get { shared.values.reduceMotion }
    set { values.reduceMotion = newValue }
  }

  /// Whether views are drawn without boxes and ornaments, for screen readers and logs.
  public var isPlain: Bool {
    get { shared.values.isPlain }
    set { values.isPlain = newValue }
  }

  /// The colours of the user interface.
  public var theme: Theme {
    get { shared.values.theme }
    set { values.theme = newValue }
  }

  /// The keys of every action.
  public var keyMap: KeyMap {
    get { shared.values.keyMap }
    set { values.keyMap = newValue }
  }

  /// How loading states are shown.
  public var loadingViewOptions: LoadingViewOptions {
    get { self[LoadingViewOptionsKey.self] }
    set { self[LoadingViewOptionsKey.self] = newValue }
  }

  /// The pane that contains the view.
  var focusSection: ViewPath {
    get { shared.values.focusSection }
    set { values.focusSection = newValue }
  }

  /// The title of the pane in the list of keys.
  var focusSectionTitle: String? {
    get { shared.values.focusSectionTitle }
    set { values.focusSectionTitle = newValue }
  }

  var prefersFocus: Bool {
    get { shared.values.prefersFocus }
    set { values.prefersFocus = newValue }
  }

  /// Tells whether an element of the surrounding loaded value is being changed.
  var isModifying: ModificationCheck? {
    get { shared.values.isModifying }
    set { values.isModifying = newValue }
  }

  /// The model of this type; nil if none was set.
  subscript<Model: AnyObject>(model type: Model.Type) -> Model? {
    get { shared.values.custom[ObjectIdentifier(type)]?.value as? Model }
    set { values.custom[ObjectIdentifier(type)] = newValue.map(Custom.init) }
  }

  /// The value of a custom key.
  public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
    get { shared.values.custom[ObjectIdentifier(key)]?.value as? Key.Value ?? Key.defaultValue }
    set { values.custom[ObjectIdentifier(key)] = Custom(newValue) }
  }
}

extension EnvironmentValues {
  /// Whether a view that inherits either of the two environments makes the same nodes.
  ///
  /// A closure is the same only as a copy of itself.
  @MainActor func isSame(as other: EnvironmentValues) -> Bool {
    style == other.style && isEnabled == other.isEnabled && isFocused == other.isFocused
      && isInert == other.isInert && isMouseOnly == other.isMouseOnly
      && stackAxis == other.stackAxis
      && multilineTextAlignment == other.multilineTextAlignment && lineLimit == other.lineLimit
      && redactionReasons == other.redactionReasons
      && (shared === other.shared || shared.values.isSame(as: other.shared.values))
  }
}

extension EnvironmentValues.Values {
  @MainActor fileprivate func isSame(as other: Self) -> Bool {
    reduceMotion == other.reduceMotion && isPlain == other.isPlain && theme == other.theme
      && keyMap == other.keyMap && focusSection == other.focusSection
      && focusSectionTitle == other.focusSectionTitle
      && prefersFocus == other.prefersFocus && isModifying?.resource == other.isModifying?.resource
      && custom.count == other.custom.count
      && custom.allSatisfy { key, value in other.custom[key].map(value.isSame) ?? false }
  }
}

extension EnvironmentValues.Custom {
  @MainActor fileprivate func isSame(as other: EnvironmentValues.Custom) -> Bool {
    self === other || ViewValue.isSame(value, as: other.value)
  }
}

// Stored as one value: its styles are closures, which are the same only if they are copied
// together.
private enum LoadingViewOptionsKey: EnvironmentKey {
  static var defaultValue: LoadingViewOptions { LoadingViewOptions() }
}

/// A key for a custom value in the environment.
public protocol EnvironmentKey {
  /// The type of the value.
  associatedtype Value
  /// The value where none was set.
  static var defaultValue: Value { get }
}
