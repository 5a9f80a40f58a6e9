extension Library {
  /// What each of some rules would change of what is stored.
  ///
  /// - Throws: ``StoreError`` or ``QueryError``.
  public func effects(of rules: [ArticleRule]) async throws -> [RuleEffect] {
    let inForce = try RulesInForce(rules, now: now())
    if inForce.haveWords { try await indexNew() }
    return zip(rules, try await store.effects(of: inForce)).map { rule, effect in
      RuleEffect(rule: rule, matches: effect.matches, changes: effect.changes)
    }
  }

  /// Applies rules to everything that is stored.
  ///
  /// Afterwards exactly those articles are muted that a rule mutes, but for starred ones.
  /// ``takeBackRules()`` undoes it, also in another program; ``undo()`` does not.
  ///
  /// - Throws: ``StoreError`` or ``QueryError``.
  public func apply(_ rules: [ArticleRule]) async throws -> RuleOutcome {
    let inForce = try RulesInForce(rules, now: now())
    if inForce.haveWords { try await indexNew() }
    let outcome = try await store.apply(inForce)
    if !outcome.isEmpty { changed() }
    return outcome
  }
  /// Takes back what ``apply(_:)`` has changed last: what has been changed since stays as it is.
  ///
  /// - Returns: what was taken back: nothing where rules were not applied since the last time.
  /// - Throws: ``StoreError``.
  public func takeBackRules() async throws -> RuleOutcome {
    let outcome = try await store.takeBackRules()
    if !outcome.isEmpty { changed() }
    return outcome
  }
}
