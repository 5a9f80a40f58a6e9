/// What a view inherits from those around it.
public struct EnvironmentValues {
  /// How text is drawn.
  public var style = Style.plain
  /// Whether it is drawn as a placeholder.
  public var redactionReasons: RedactionReasons = []
  /// Whether it can be used.
  public var isEnabled = true
  /// Whether animations are replaced by words.
  public var reduceMotion = false
  /// Whether everything is drawn without boxes and ornaments, for screen readers and logs.
  public var isPlain = false
  /// The colours of the parts.
  public var theme = Theme.standard
  /// How text that has several lines stands in its region.
  public var multilineTextAlignment = HorizontalAlignment.leading
  /// The most lines a text takes, or as many as it needs.
  public var lineLimit: Int?
  // A redacted or dimmed copy: no keys, no focus, no tasks, no state that outlives it.
  var isInert = false
  // The direction of the stack around it.
  var stackAxis = Axis.vertical
  /// Whether the view, or one around it that can have the focus, has it.
  public internal(set) var isFocused = false
  /// The pane it belongs to.
  var focusSection = ViewPath.root
  var prefersFocus = false
  private var custom: [ObjectIdentifier: Any] = [:]

  /// The defaults.
  public init() {}

  /// The model of that type, where one was set.
  subscript<Model: AnyObject>(model type: Model.Type) -> Model? {
    get { custom[ObjectIdentifier(type)] as? Model }
    set { custom[ObjectIdentifier(type)] = newValue }
  }

  /// The value of a key of your own.
  public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
    get { custom[ObjectIdentifier(key)] as? Key.Value ?? Key.defaultValue }
    set { custom[ObjectIdentifier(key)] = newValue }
  }
}

/// A key for a value of your own in the environment.
public protocol EnvironmentKey {
  /// What it holds.
  associatedtype Value
  /// What holds where nobody set it.
  static var defaultValue: Value { get }
}
