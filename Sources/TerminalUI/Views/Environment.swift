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
  private var custom: [ObjectIdentifier: Any] = [:]

  /// The defaults.
  public init() {}

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

/// Why text is drawn as something else.
public struct RedactionReasons: OptionSet, Hashable, Sendable {
  /// One bit a reason.
  public let rawValue: Int

  /// The reasons whose bits are set.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The real content is still being loaded.
  public static let placeholder = RedactionReasons(rawValue: 1)
}

/// Reads a value from the environment of the view.
@MainActor
@propertyWrapper
public struct Environment<Value>: DynamicProperty {
  private let keyPath: KeyPath<EnvironmentValues, Value>
  private let slot = Slot()

  @MainActor
  private final class Slot {
    var value: Value?
  }

  /// The value at `keyPath`.
  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { self.keyPath = keyPath }

  /// The value where the view stands.
  public var wrappedValue: Value { slot.value ?? EnvironmentValues()[keyPath: keyPath] }

  func install(_ context: ViewContext, index: Int) {
    slot.value = context.environment[keyPath: keyPath]
  }
}

struct EnvironmentModifier<Content: View>: PrimitiveView {
  let content: Content
  let change: @MainActor (inout EnvironmentValues) -> Void

  func makeNodes(_ context: ViewContext) -> [Node] {
    var context = context
    change(&context.environment)
    return context.resolve(content)
  }
}

extension View {
  /// Sets a value that the views inside inherit.
  public func environment<Value>(
    _ keyPath: WritableKeyPath<EnvironmentValues, Value>, _ value: Value
  ) -> some View {
    transformEnvironment { $0[keyPath: keyPath] = value }
  }

  func transformEnvironment(
    _ change: @escaping @MainActor (inout EnvironmentValues) -> Void
  ) -> some View {
    EnvironmentModifier(content: self, change: change)
  }

  /// Draws in a colour.
  public func foregroundStyle(_ color: Color) -> some View {
    transformEnvironment { $0.style.foreground = color }
  }

  /// Draws in one of the theme's colours.
  public func foregroundStyle(_ color: KeyPath<Theme, Color>) -> some View {
    transformEnvironment { $0.style.foreground = $0.theme[keyPath: color] }
  }

  /// Draws bold.
  public func bold(_ isActive: Bool = true) -> some View { attributes(.bold, isActive) }

  /// Draws faint.
  public func dim(_ isActive: Bool = true) -> some View { attributes(.dim, isActive) }

  /// Draws slanted.
  public func italic(_ isActive: Bool = true) -> some View { attributes(.italic, isActive) }

  /// Draws underlined.
  public func underline(_ isActive: Bool = true) -> some View { attributes(.underline, isActive) }

  /// Draws struck through.
  public func strikethrough(_ isActive: Bool = true) -> some View {
    attributes(.strikethrough, isActive)
  }

  private func attributes(_ attributes: Attributes, _ isActive: Bool) -> some View {
    transformEnvironment { environment in
      if isActive {
        environment.style.attributes.formUnion(attributes)
      } else {
        environment.style.attributes.subtract(attributes)
      }
    }
  }

  /// Draws text as blocks in its own shape; keys, focus and tasks inside are off.
  public func redacted(reason: RedactionReasons) -> some View {
    transformEnvironment {
      $0.redactionReasons.formUnion(reason)
      if !reason.isEmpty { $0.isInert = true }
    }
  }

  /// Switches keys and focus inside off.
  public func disabled(_ isDisabled: Bool) -> some View {
    transformEnvironment { if isDisabled { $0.isEnabled = false } }
  }

  /// The most lines a text inside takes.
  public func lineLimit(_ limit: Int?) -> some View { environment(\.lineLimit, limit) }

  /// How the lines of a text inside stand.
  public func multilineTextAlignment(_ alignment: HorizontalAlignment) -> some View {
    environment(\.multilineTextAlignment, alignment)
  }
}
