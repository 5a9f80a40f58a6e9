import Socks
import TerminalUI

extension SockOrder {
  /// The orders that a key steps through.
  static let offered = [
    SockOrder(by: .name), SockOrder(by: .sogginess, descending: true), SockOrder(by: .pattern),
    SockOrder(by: .colour), SockOrder(by: .changed, descending: true),
  ]

  /// The order in words: `by name`.
  var words: String {
    switch (key, isDescending) {
    case (.name, false): "by name"
    case (.name, true): "by name, reversed"
    case (.sogginess, true): "soggiest first"
    case (.sogginess, false): "driest first"
    case (.pattern, false): "by pattern"
    case (.pattern, true): "by pattern, reversed"
    case (.colour, false): "by colour"
    case (.colour, true): "by colour, reversed"
    case (.changed, true): "last changed first"
    case (.changed, false): "last changed last"
    case (.created, true): "newest first"
    case (.created, false): "oldest first"
    }
  }
}

extension ErrorDescription {
  /// What happened and what the user can do about it.
  var whole: String { advice.map { "\(what) \($0)" } ?? what }
}
