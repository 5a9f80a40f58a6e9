struct EnvironmentModifier<Content: View>: BodilessView {
  let content: Content
  let change: @MainActor (inout EnvironmentValues) -> Void

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

private enum LabelKey: EnvironmentKey {
  static var defaultValue: String? { nil }
}

private enum ValueKey: EnvironmentKey {
  static var defaultValue: String? { nil }
}

extension EnvironmentValues {
  /// What the part is called where it is read out.
  var accessibilityLabel: String? {
    get { self[LabelKey.self] }
    set { self[LabelKey.self] = newValue }
  }

  /// What its value is called where it is read out.
  var accessibilityValue: String? {
    get { self[ValueKey.self] }
    set { self[ValueKey.self] = newValue }
  }
}

extension View {
  /// What it is called where it is read out: in plain mode, in place of what it draws if that is
  /// a picture or a spinner, and in the announcements of its loads.
  public func accessibilityLabel(_ label: String) -> some View {
    transformEnvironment { $0.accessibilityLabel = label }
  }

  /// What its value is called where it is read out: in plain mode, in place of the number of a
  /// slider, say.
  public func accessibilityValue(_ value: String) -> some View {
    transformEnvironment { $0.accessibilityValue = value }
  }
}
