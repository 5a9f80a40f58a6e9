import Articles
import Foundation
import Observation
import Pictures
import Socks
import Storage

/// The form of a sock that is being added or changed.
@MainActor
@Observable
final class SockForm {
  /// The fields of the form; the sogginess has a slider elsewhere.
  static let fields = SockField.allCases.filter { $0 != .sogginess }

  /// The sock that is being changed; nil if one is being added.
  let sock: Sock?
  /// Whether the sock was removed from the drawer while its form was open, so that saving adds it
  /// as a new one.
  var isRemoved = false
  /// The mistake in a field.
  private(set) var mistake: Mistake?
  private var text: [SockField: String] = [:]
  // One ID for all attempts, so that adding the sock again does not create a second one.
  private let newID: Sock.ID

  /// What is wrong with the text of a field.
  struct Mistake: Equatable {
    let field: SockField
    let what: String
    let advice: String
  }

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

  private static func text(of sock: Sock) -> [SockField: String] {
    Dictionary(uniqueKeysWithValues: fields.map { ($0, shown(sock[$0].text)) })
  }

  /// The title.
  ///
  /// If there is a mistake, the title names it, because it is visible in a window of any height.
  var title: String {
    if let mistake { return mistake.what }
    if isRemoved { return "Removed elsewhere. Save as new?" }
    return sock == nil ? "New sock" : "Change"
  }

  /// The sock to change; nil if saving adds one.
  var changedSock: Sock? { isRemoved ? nil : sock }

  subscript(field: SockField) -> String {
    get { text[field] ?? "" }
    set {
      text[field] = newValue
      // The mistake was in the earlier text.
      if mistake?.field == field { mistake = nil }
    }
  }

  /// Returns the changes that the user made; nil if a field is invalid, which sets ``mistake``.
  func edits() -> [SockEdit]? {
    do throws(SockError) {
      var edits: [SockEdit] = []
      for field in Self.fields {
        let edit = try edit(of: field)
        try edit.check()
        if changedSock.map({ !$0.edits.contains(edit) }) ?? true { edits.append(edit) }
      }
      mistake = nil
      return edits
    } catch {
      if case .invalid(let refusal) = error {
        mistake = Mistake(field: refusal.field, what: error.what, advice: error.advice)
      }
      return nil
    }
  }

  /// Notes that the file that was typed cannot be the picture.
  func refusePicture(_ failure: PictureError) {
    mistake = Mistake(field: .picture, what: failure.what, advice: failure.adviceForNaming)
  }

  /// Returns the new sock described by the form.
  func draft(_ edits: [SockEdit]) -> SockDraft {
    SockDraft(id: newID, edits + (sock.map { [.sogginess($0.sogginess)] } ?? []))
  }

  private func edit(of field: SockField) throws(SockError) -> SockEdit {
    let text = self[field]
    switch field {
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
    default: return SockEdit(field, text: text)
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

extension PictureError {
  /// What to do if a file that the user named cannot be the picture of a sock.
  var adviceForNaming: String {
    if case .notFound = self { "Check the path of the picture." } else { "Choose another file." }
  }
}

extension SockPicture {
  /// Parses what a user typed or passed to a command: `~` stands for the home folder, a `file` URL
  /// is a path, and a relative path is made absolute with `folder`, so that it means the same file
  /// wherever the program is started next.
  ///
  /// - Returns: nil for an empty text, and for another kind of address.
  init?(
    typed text: String, home: String = UserHome.path(),
    folder: String = FileManager.default.currentDirectoryPath
  ) {
    guard let picture = SockPicture(FileAddress.path(text) ?? text) else { return nil }
    self = picture
    guard case .file(let path) = picture else { return }
    if path.contains(/^[A-Za-z][A-Za-z0-9+.\-]*:\/\//) { return nil }
    self = SockPicture.file(UserHome.expanded(path, home: home)).resolved(in: folder)
  }
}
