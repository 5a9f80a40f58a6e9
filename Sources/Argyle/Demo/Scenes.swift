extension Scene {
  /// Every scene, in the order of the list.
  static let all = reader + drawer + gallery + catalog + patterns
}
