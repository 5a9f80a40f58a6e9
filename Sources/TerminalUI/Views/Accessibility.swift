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
