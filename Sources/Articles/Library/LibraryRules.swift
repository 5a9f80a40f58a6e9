extension Library {
  /// What each of some rules would change of what is stored.
  ///
  /// - Throws: ``StoreError`` or ``QueryError``.
  public func effects(of rules: [ArticleRule]) async throws -> [RuleEffect] {
    let inForce = try RulesInForce(rules, now: now())
    if inForce.haveWords { try await indexNew() }
    var effects: [RuleEffect] = []
    for (rule, read) in zip(rules, inForce.rules) {
      let (matches, changes) = try await store.effect(of: read)
      effects.append(RuleEffect(rule: rule, matches: matches, changes: changes))
    }
    return effects
  }

  /// Applies rules to everything that is stored.
  ///
  /// Afterwards exactly those articles are muted that a rule mutes, but for starred ones. ``undo()`` does
  /// not undo it.
  ///
  /// - Throws: ``StoreError`` or ``QueryError``.
  public func apply(_ rules: [ArticleRule]) async throws -> RuleOutcome {
    let inForce = try RulesInForce(rules, now: now())
    if inForce.haveWords { try await indexNew() }
    let outcome = try await store.apply(inForce)
    if outcome != RuleOutcome() { changed() }
    return outcome
  }
}
