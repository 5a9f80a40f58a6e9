import Socks
import TerminalUI

/// The form with the fields of a sock.
struct SockFormView: View {
  let model: DrawerModel
  let form: SockForm
  @FocusState private var focus: SockField?

  private static let width = 52
  private static let labelWidth = 8

  var body: some View {
    let sock = form.sock.map { model.drawer.sock($0.id) }
    VStack(alignment: .leading) {
      ForEach(SockForm.fields, id: { $0 }) { field in
        HStack {
          FieldLabel(label(of: field), width: Self.labelWidth)
          input(field)
        }
        if let mistake = form.mistake, mistake.field == field {
          FailureText(mistake.advice, plainMark: "Wrong: ")
        }
      }
    }
    .frame(idealWidth: Self.width, maxWidth: .infinity, alignment: .leading)
    .onSubmit(label: form.isRemoved ? "save as new" : "save") {
      model.submit()
      if let field = form.mistake?.field { focus = field }
    }
    // A picture is checked after the form was submitted.
    .onChange(of: form.mistake) { _, mistake in
      if mistake?.field == .picture { focus = .picture }
    }
    // The sock is kept up to date while it is changed here, also where only the list shows it.
    .onAppear { sock?.appear() }
    .onDisappear { sock?.disappear() }
    .onChange(of: sock?.isGone ?? false) { _, isGone in if isGone { form.isRemoved = true } }
  }

  private func label(of field: SockField) -> Text {
    form.mistake?.field == field
      ? Text(field.title).bold().foregroundStyle(\.failure)
      : Text(field.title).foregroundStyle(\.secondary)
  }

  @ViewBuilder
  private func input(_ field: SockField) -> some View {
    let text = Binding<String>(get: { form[field] }, modify: { change in change(&form[field]) })
    if field == .name {
      TextField(field.hint, text: text).focused($focus, equals: field).defaultFocus()
    } else if field == .notes {
      TextField(field.hint, text: text).lineBreak(SockForm.lineBreak).focused($focus, equals: field)
    } else {
      TextField(field.hint, text: text).focused($focus, equals: field)
    }
  }
}

extension SockField {
  fileprivate var hint: String {
    switch self {
    case .name: "its name"
    case .pattern: "argyle, striped, dots …"
    case .colour: "red, grey …"
    case .picture: "a file or a web address"
    case .notes: "Alt-Enter for a new line"
    default: ""
    }
  }
}
