@usableFromInline
struct EnvironmentModifier<Content: View>: BodilessView {
  let content: Content
  let change: @MainActor (inout EnvironmentValues) -> Void

  @usableFromInline
  func _resolve(in context: ViewContext, to nodes: inout NodeList) {
    var context = context
    change(&context.environment)
    content._resolve(in: context, to: &nodes)
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
  ) -> EnvironmentModifier<Self> {
    EnvironmentModifier(content: self, change: change)
  }

  /// Sets the foreground colour.
  public func foregroundStyle(_ color: Color) -> some View {
    transformEnvironment { $0.style.foreground = color }
  }

  /// Sets the foreground colour to one of the theme's colours.
  public func foregroundStyle(_ color: KeyPath<Theme, Color>) -> some View {
    transformEnvironment { $0.style.foreground = $0.theme[keyPath: color] }
  }

  /// Makes text bold.
  public func bold(_ isActive: Bool = true) -> some View { attributes(.bold, isActive) }

  /// Makes text faint.
  public func dim(_ isActive: Bool = true) -> some View { attributes(.dim, isActive) }

  /// Makes text italic.
  public func italic(_ isActive: Bool = true) -> some View { attributes(.italic, isActive) }

  /// Underlines text.
  public func underline(_ isActive: Bool = true) -> some View { attributes(.underline, isActive) }

  /// Strikes text through.
  public func strikethrough(_ isActive: Bool = true) -> some View {
    attributes(.strikethrough, isActive)
  }

  private func attributes(
    _ attributes: Attributes, _ isActive: Bool
  ) -> EnvironmentModifier<Self> {
    transformEnvironment { environment in
      if isActive {
        environment.style.attributes.formUnion(attributes)
      } else {
        environment.style.attributes.subtract(attributes)
      }
    }
  }

  /// Disables the keys and the focus of the views inside.
  public func disabled(_ isDisabled: Bool) -> some View {
    transformEnvironment { if isDisabled { $0.isEnabled = false } }
  }

  /// Keeps keys and the focus out of the views inside; the mouse still works in them.
  ///
  /// For a preview beside a list that keeps the focus.
  public func mouseOnly() -> some View { transformEnvironment { $0.isMouseOnly = true } }

  /// Limits the number of lines of each text inside.
  public func lineLimit(_ limit: Int?) -> some View {
    // Not by a key path: nearly every text in a row has a limit.
    transformEnvironment { $0.lineLimit = limit }
  }

  /// Aligns the lines of each text inside.
  public func multilineTextAlignment(_ alignment: HorizontalAlignment) -> some View {
    environment(\.multilineTextAlignment, alignment)
  }
}

private enum LabelKey: EnvironmentKey {
  static var defaultValue: String? { nil }
}

private enum ValueKey: EnvironmentKey {
  static var defaultValue: String? { nil }
}

extension EnvironmentValues {
  /// The label of the view in plain mode.
  var accessibilityLabel: String? {
    get { self[LabelKey.self] }
    set { self[LabelKey.self] = newValue }
  }

  /// The label of the value in plain mode.
  var accessibilityValue: String? {
    get { self[ValueKey.self] }
    set { self[ValueKey.self] = newValue }
  }

  mutating func removeLabels() { (accessibilityLabel, accessibilityValue) = (nil, nil) }
}

extension View {
  /// Sets a label for plain mode.
  ///
  /// It replaces a picture or the word of a spinner, and names the view in the announcements and
  /// failures of its loads.
  public func accessibilityLabel(_ label: String) -> some View {
    transformEnvironment { $0.accessibilityLabel = label }
  }

  /// Removes the labels for plain mode that belong to the view around this one.
  func unlabelled() -> EnvironmentModifier<Self> {
    transformEnvironment { $0.removeLabels() }
  }

  /// Sets a label of the value for plain mode, for example instead of the number of a slider.
  public func accessibilityValue(_ value: String) -> some View {
    transformEnvironment { $0.accessibilityValue = value }
  }
}
