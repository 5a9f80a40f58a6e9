import TerminalUI

/// Keys that the configuration file gives to something.
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
  /// The line of the file, and what is told of it.
  let place: (line: Int, key: String)

  /// Whether the keys of an action would mean two things with this, on one screen.
  func excludes(_ other: KeySequence, of action: KeyAction, on screens: KeyTable.Screens) -> Bool {
    guard keys.excludes(other), !self.screens.isDisjoint(with: screens) else { return false }
    guard case .action(let own) = holder else { return true }
    // What shares a key from the start does so on purpose, like Esc, which cancels or else goes back;
    // also where one of them has more keys after it now.
    return own != action
      && !own.keys.contains {
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
  /// The keys of the actions of which the file says nothing, without those that it gives to
  /// something else: so a new version's new keys take none from anybody.
  func keysLeft(by claims: [KeyClaim], chosen: Set<KeyAction>) -> [KeyAction: [KeySequence]] {
    var left: [KeyAction: [KeySequence]] = [:]
    for action in actions where !chosen.contains(action) {
      let keys = action.keys.filter { keys in
        !claims.contains { $0.excludes(keys, of: action, on: screens(of: action)) }
      }
      if keys.count < action.keys.count { left[action] = keys }
    }
    return left
  }

  /// What the file gives to two things of one screen, or takes from what always has it.
  func conflicts(of claims: [KeyClaim]) -> [ConfigurationProblem] {
    let claims = claims.sorted { $0.place.line < $1.place.line }
    return claims.enumerated().flatMap { index, claim in
      claims[..<index].filter(claim.excludes).map {
        claim.problem(with: $0.keys, of: "\($0.holder.name) (line \($0.place.line))")
      }
        + actions.flatMap { action in
          action.always.filter { claim.excludes($0, of: action, on: screens(of: action)) }
            .map { claim.problem(with: $0, of: "\(action.name) (always)") }
        }
    }
  }
}
