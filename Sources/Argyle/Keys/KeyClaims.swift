import TerminalUI

/// Keys that the configuration file assigns to something.
struct KeyClaim {
  enum Holder: Equatable {
    case action(KeyAction)
    /// A command or a macro, by its name.
    case named(String)

    var name: String {
      switch self {
      case .action(let action): action.name
      case .named(let name): "“\(name)”"
      }
    }
  }

  let holder: Holder
  let screens: KeyTable.Screens
  let keys: KeySequence
  /// The line of the file, and the setting's name for error messages.
  let place: (line: Int, key: String)

  /// Whether the keys of an action conflict with this claim on one of its screens.
  func excludes(_ other: KeySequence, of action: KeyAction, on screens: KeyTable.Screens) -> Bool {
    guard keys.excludes(other), !self.screens.isDisjoint(with: screens) else { return false }
    guard case .action(let own) = holder else { return true }
    if own == action { return keys != other }
    // Actions that share a key by default do so on purpose, like Esc, which cancels or else goes
    // back. They may still share it if one of them now has a longer sequence that begins with it.
    return !own.keys.contains {
      action.keys.contains($0) && keys.begins(with: $0.keys) && other.begins(with: $0.keys)
    }
  }

  func excludes(_ other: KeyClaim) -> Bool {
    switch other.holder {
    case .action(let action): excludes(other.keys, of: action, on: other.screens)
    case .named:
      place.line != other.place.line && keys.excludes(other.keys)
        && !screens.isDisjoint(with: other.screens)
    }
  }

  func problem(with other: KeySequence, of name: String) -> ConfigurationProblem {
    ConfigurationProblem(
      line: place.line, key: place.key,
      message: (keys == other
        ? "\(keys) is also the key of \(name)"
        : "\(keys) cannot be told from \(other), the key of \(name)") + ", on the same screen")
  }
}

extension KeyTable {
  /// Returns the default keys of the actions that the file does not mention, without those that it
  /// assigns to something else.
  ///
  /// New default keys in a new version thus take no key from the user.
  func keysLeft(by claims: [KeyClaim], chosen: Set<KeyAction>) -> [KeyAction: [KeySequence]] {
    let claims = Dictionary(grouping: claims, by: \.keys.first)
    var left: [KeyAction: [KeySequence]] = [:]
    for action in actions where !chosen.contains(action) {
      let keys = action.keys.filter { keys in
        !claims[keys.first, default: []].contains {
          $0.excludes(keys, of: action, on: screens(of: action))
        }
      }
      if keys.count < action.keys.count { left[action] = keys }
    }
    return left
  }

  /// Returns a problem for each key that the file assigns twice on one screen, or takes from
  /// something that always has it.
  func conflicts(of claims: [KeyClaim]) -> [ConfigurationProblem] {
    // By their first keys: keys with different ones are never in conflict.
    let fixed = Dictionary(
      grouping: actions.flatMap { action in action.always.map { (action, $0) } },
      by: \.1.first)
    var earlier: [KeyPress: [KeyClaim]] = [:]
    return claims.sorted { $0.place.line < $1.place.line }.flatMap { claim in
      let others = earlier[claim.keys.first, default: []]
      if !others.contains(where: { $0.holder == claim.holder && $0.keys == claim.keys }) {
        earlier[claim.keys.first, default: []].append(claim)
      }
      return others.filter(claim.excludes).map {
        claim.problem(with: $0.keys, of: "\($0.holder.name) (line \($0.place.line))")
      }
        + fixed[claim.keys.first, default: []]
        .filter { claim.excludes($1, of: $0, on: screens(of: $0)) }
        .map { claim.problem(with: $1, of: "\($0.name) (always)") }
    }
  }
}
