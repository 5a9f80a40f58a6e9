extension Library {
  /// Returns what each rule would change in the stored articles.
  ///
  /// - Throws: ``StoreError`` or ``QueryError``.
  public func effects(of rules: [ArticleRule]) async throws -> [RuleEffect] {
    let inForce = try RulesInForce(rules, now: now())
    if inForce.haveWords { try await indexNew() }
    return zip(rules, try await store.effects(of: inForce)).map { rule, effect in
      RuleEffect(rule: rule, matches: effect.matches, changes: effect.changes)
    }
  }

  /// Applies rules to all stored articles.
  ///
  /// Afterwards exactly the articles that a rule mutes are muted, except for starred ones and those
  /// to be read later.
  /// ``takeBackRules()`` undoes it, even in another program; ``undo()`` does not.
  ///
  /// - Throws: ``StoreError`` or ``QueryError``.
  public func apply(_ rules: [ArticleRule]) async throws -> RuleOutcome {
    let inForce = try RulesInForce(rules, now: now())
    if inForce.haveWords { try await indexNew() }
    let outcome = try await store.apply(inForce)
    if !outcome.isEmpty { changed() }
    return outcome
  }
  /// Undoes the last changes of ``apply(_:)``; marks that have changed since stay as they are.
  ///
  /// - Returns: what was undone; nothing if rules were not applied since the last time.
  public func takeBackRules() async throws -> RuleOutcome {
    let outcome = try await store.takeBackRules()
    if !outcome.isEmpty { changed() }
    return outcome
  }
}
