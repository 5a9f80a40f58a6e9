extension CatalogPage {
  /// Every page, in the order of the list.
  static let all: [CatalogPage] = [
    styles, indicators, errors, idle, empty, progress, modifying, mutations, retry, combine, cache,
    paging, streams, limits, paused, history, search, removing,
  ]
}
