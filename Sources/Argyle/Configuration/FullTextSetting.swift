import Articles

/// The setting of where the article is on the pages of a site: a table `[[full-text]]`.
extension FullTextSite: TableSetting {
  static let header = "full-text"
  static let names = ["site", "select", "remove", "run"]
  static let comment =
    "Where the article is on the pages of a site, whose full text is otherwise found by its look: the "
    + "site, the elements that are the article (select) and those in it that are not (remove), each "
    + "by names of elements, .classes and #ids, such as \"article .body\". Or a program that reads "
    + "the page from its standard input and writes the article as HTML (run). There may be any "
    + "number of these:"
  static let example = [
    "site = \"example.org\"", "select = [\"article .body\"]", "remove = [\".ad\"]",
  ]

  private static let hostKind = SettingKind<String>(
    wanted: "it must be the name of a server, such as \"example.org\"",
    read: { $0.text.flatMap { isHost($0) ? $0 : nil } }, write: \.toml)

  init?(_ table: inout TableReader) {
    let site = table.value("site", Self.hostKind)
    let wanted = "it must be a selector such as \"article .body\" or \"#text\""
    let selected = table.values("select", wanted: wanted) { PageSelector($0) }
    let removed = table.values("remove", wanted: wanted) { PageSelector($0) }
    let words = table.value("run", .program)
    guard table.isGood else { return nil }
    guard let site, selected.isEmpty != (words == nil) else {
      table.refuse(nil, "this must have a site, and either select or run")
      return nil
    }
    if words != nil, table.has("remove") {
      table.refuse(nil, "remove goes with select; a program leaves out what it likes")
    }
    self.init(
      site: site,
      method: words.map { .program($0) } ?? .selectors(selected, removing: removed))
  }

  private static func isHost(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count < 254
      && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "." || $0 == "-" }
  }

  var toml: [String] {
    let start = ["site = \(site.toml)"]
    switch method {
    case .selectors(let selected, let removed):
      return start + ["select = \(selected.map(\.text).toml)"]
        + (removed.isEmpty ? [] : ["remove = \(removed.map(\.text).toml)"])
    case .program(let words): return start + ["run = \(words.toml)"]
    }
  }
}
