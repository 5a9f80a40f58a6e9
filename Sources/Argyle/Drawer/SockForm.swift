import Foundation
import Observation
import Socks
import Storage

/// The form of a sock that is added or changed.
@MainActor
@Observable
final class SockForm {
  /// A field of the form.
  enum Field: Hashable, CaseIterable {
    case name, pattern, colour, picture, notes
  }

  /// The sock that is changed; nil while one is added.
  let sock: Sock?
  /// The mistake in what was typed.
  private(set) var refusal: SockRefusal?
  private var text: [Field: String] = [:]
  // An addition that is tried again makes no second sock.
  private let newID: Sock.ID

  init(of sock: Sock? = nil) {
    self.sock = sock
    newID = UUID()
    if let sock { text = Self.text(of: sock) }
  }

  /// The form of a new sock that could not be stored.
  init(repeating failed: Sock) {
    sock = nil
    newID = failed.id
    text = Self.text(of: failed)
  }

  private static func text(of sock: Sock) -> [Field: String] {
    [
      .name: sock.name, .pattern: sock.pattern, .colour: sock.colour,
      .picture: sock.picture?.text ?? "", .notes: shown(sock.notes),
    ]
  }

  /// The title, which is the mistake where there is one: it is on the screen however few rows there
  /// are.
  var title: String {
    if let refusal { return SockError.invalid(refusal).what }
    return sock == nil ? "New sock" : "Change"
  }

  subscript(field: Field) -> String {
    get { text[field] ?? "" }
    set {
      text[field] = newValue
      // The mistake was in the text before.
      if refusal?.formField == field { refusal = nil }
    }
  }

  /// The changes that were made; nil, with ``refusal`` set, when a sock cannot be like that.
  func edits() -> [SockEdit]? {
    do throws(SockError) {
      var edits: [SockEdit] = []
      for field in Field.allCases {
        let edit = try edit(of: field)
        try edit.check()
        if sock.map({ !$0.edits.contains(edit) }) ?? true { edits.append(edit) }
      }
      refusal = nil
      return edits
    } catch {
      if case .invalid(let refusal) = error { self.refusal = refusal }
      return nil
    }
  }

  /// The new sock of what was typed.
  func draft(_ edits: [SockEdit]) -> SockDraft {
    var draft = SockDraft(id: newID, name: "")
    for edit in edits {
      switch edit {
      case .name(let name): draft.name = name
      case .picture(let picture): draft.picture = picture
      case .sogginess(let sogginess): draft.sogginess = sogginess
      case .pattern(let pattern): draft.pattern = pattern
      case .colour(let colour): draft.colour = colour
      case .notes(let notes): draft.notes = notes
      }
    }
    return draft
  }

  private func edit(of field: Field) throws(SockError) -> SockEdit {
    let text = self[field]
    switch field {
    case .name: return .name(text)
    case .pattern: return .pattern(text)
    case .colour: return .colour(text)
    // Notes that nobody touched stay as they are, with signs in them that look like line breaks.
    case .notes:
      if let sock, Self.shown(sock.notes) == text { return .notes(sock.notes) }
      return .notes(Self.kept(text))
    case .picture:
      if text.isEmpty { return .picture(nil) }
      if let picture = sock?.picture, picture.text == text { return .picture(picture) }
      guard let picture = SockPicture(typed: text) else { throw .invalid(.noPicture) }
      return .picture(picture)
    }
  }

  // A field has one line, notes have any number.
  private static func shown(_ notes: String) -> String {
    notes.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: lineBreak)
  }

  private static func kept(_ text: String) -> String {
    text.split(separator: lineBreak, omittingEmptySubsequences: false).joined(separator: "\n")
  }

  /// The sign for a line break in the notes, shown and typed.
  nonisolated static let lineBreak = "↵"
}

extension SockPicture {
  /// What was typed here and now.
  init?(typed text: String) {
    self.init(
      typed: text, home: UserHome.path(), folder: FileManager.default.currentDirectoryPath)
  }
}

extension SockRefusal {
  /// Where in the form.
  var formField: SockForm.Field? {
    switch field {
    case .name: .name
    case .pattern: .pattern
    case .colour: .colour
    case .picture: .picture
    case .notes: .notes
    case .sogginess: nil
    }
  }
}
