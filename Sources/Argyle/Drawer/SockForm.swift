import Foundation
import Observation
import Socks
import Storage

/// The form of a sock that is being added or changed.
@MainActor
@Observable
final class SockForm {
  /// A field of the form.
  enum Field: Hashable, CaseIterable {
    case name, pattern, colour, picture, notes
  }

  /// The sock that is being changed; nil if one is being added.
  let sock: Sock?
  /// The mistake in a field.
  private(set) var refusal: SockRefusal?
  private var text: [Field: String] = [:]
  // One ID for all attempts, so that adding the sock again does not create a second one.
  private let newID: Sock.ID

  init(of sock: Sock? = nil) {
    self.sock = sock
    newID = UUID()
    if let sock { text = Self.text(of: sock) }
  }

  /// Makes the form for a new sock that could not be stored.
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

  /// The title.
  ///
  /// If there is a mistake, the title names it, because it is visible in a window of any height.
  var title: String {
    if let refusal { return SockError.invalid(refusal).what }
    return sock == nil ? "New sock" : "Change"
  }

  subscript(field: Field) -> String {
    get { text[field] ?? "" }
    set {
      text[field] = newValue
      // The mistake was in the earlier text.
      if refusal?.formField == field { refusal = nil }
    }
  }

  /// Returns the changes that the user made; nil if a field is invalid, which sets ``refusal``.
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

  /// Returns the new sock described by the form.
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
    // Unchanged notes are not converted, since they may themselves contain the sign for a line
    // break.
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

  // A field has one line, but notes may have several.
  private static func shown(_ notes: String) -> String {
    notes.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: lineBreak)
  }

  private static func kept(_ text: String) -> String {
    text.split(separator: lineBreak, omittingEmptySubsequences: false).joined(separator: "\n")
  }

  /// The sign that stands for a line break in the field of the notes.
  nonisolated static let lineBreak = "↵"
}

extension SockPicture {
  /// Interprets typed text relative to the user's home and the current folder.
  init?(typed text: String) {
    self.init(
      typed: text, home: UserHome.path(), folder: FileManager.default.currentDirectoryPath)
  }
}

extension SockRefusal {
  /// The field of the form that has the mistake.
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
