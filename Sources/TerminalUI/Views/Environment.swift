/// What a view inherits from those around it.
///
/// Nearly every view copies it and hardly any changes it: what changes often lies in it, the rest
/// behind one reference.
public struct EnvironmentValues {
  /// How text is drawn.
  public var style = Style.plain
  /// Whether it can be used.
  public var isEnabled = true
  /// Whether the view, or one around it that can have the focus, has it.
  public internal(set) var isFocused = false
  // A redacted or dimmed copy: no keys, no focus, no tasks, no state that outlives it.
  var isInert = false
  // The direction of the stack around it.
  var stackAxis = Axis.vertical
  /// How text that has several lines stands in its region.
  public var multilineTextAlignment = HorizontalAlignment.leading
  /// The most lines a text takes, or as many as it needs.
  public var lineLimit: Int?
  /// Whether it is drawn as a placeholder.
  public var redactionReasons: RedactionReasons = []
  private var shared = Shared()

  /// The defaults.
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

  /// A value of somebody's own: the same one everywhere below the place that it was set at.
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
  /// Whether an element of a resource's value is being changed.
  struct ModificationCheck {
    let resource: ObjectIdentifier
    let check: @MainActor (any Hashable & Sendable) -> Bool

    @MainActor func callAsFunction(_ id: any Hashable & Sendable) -> Bool { check(id) }
  }

  /// Whether animations are replaced by words.
  public var reduceMotion: Bool {
    get { shared.values.reduceMotion }
    set { values.reduceMotion = newValue }
  }

  /// Whether everything is drawn without boxes and ornaments, for screen readers and logs.
  public var isPlain: Bool {
    get { shared.values.isPlain }
    set { values.isPlain = newValue }
  }

  /// The colours of the parts.
  public var theme: Theme {
    get { shared.values.theme }
    set { values.theme = newValue }
  }

  /// Which keys do what.
  public var keyMap: KeyMap {
    get { shared.values.keyMap }
    set { values.keyMap = newValue }
  }

  /// How loading is shown.
  public var loadingViewOptions: LoadingViewOptions {
    get { self[LoadingViewOptionsKey.self] }
    set { self[LoadingViewOptionsKey.self] = newValue }
  }

  /// The pane it belongs to.
  var focusSection: ViewPath {
    get { shared.values.focusSection }
    set { values.focusSection = newValue }
  }

  /// What the pane is called where its keys are listed.
  var focusSectionTitle: String? {
    get { shared.values.focusSectionTitle }
    set { values.focusSectionTitle = newValue }
  }

  var prefersFocus: Bool {
    get { shared.values.prefersFocus }
    set { values.prefersFocus = newValue }
  }

  /// Whether an element of the loaded value around it is being changed.
  var isModifying: ModificationCheck? {
    get { shared.values.isModifying }
    set { values.isModifying = newValue }
  }

  /// The model of that type, where one was set.
  subscript<Model: AnyObject>(model type: Model.Type) -> Model? {
    get { shared.values.custom[ObjectIdentifier(type)]?.value as? Model }
    set { values.custom[ObjectIdentifier(type)] = newValue.map(Custom.init) }
  }

  /// The value of a key of your own.
  public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
    get { shared.values.custom[ObjectIdentifier(key)]?.value as? Key.Value ?? Key.defaultValue }
    set { values.custom[ObjectIdentifier(key)] = Custom(newValue) }
  }
}

extension EnvironmentValues {
  /// Whether a view that inherits either becomes the same.
  ///
  /// Of two closures, only a copy is the same.
  @MainActor func isSame(as other: EnvironmentValues) -> Bool {
    style == other.style && isEnabled == other.isEnabled && isFocused == other.isFocused
      && isInert == other.isInert && stackAxis == other.stackAxis
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

// Its styles are closures, of which only a copy is the same: kept as one value, it is copied as a whole.
private enum LoadingViewOptionsKey: EnvironmentKey {
  static var defaultValue: LoadingViewOptions { LoadingViewOptions() }
}

/// A key for a value of your own in the environment.
public protocol EnvironmentKey {
  /// What it holds.
  associatedtype Value
  /// What holds where nobody set it.
  static var defaultValue: Value { get }
}
