/// Returns a number with its noun: `1 feed`, `2 feeds`.
///
/// - Parameter many: the plural; nil for the singular with an s.
func counted(_ count: Int, _ one: String, _ many: String? = nil) -> String {
  "\(count) \(count == 1 ? one : many ?? one + "s")"
}
