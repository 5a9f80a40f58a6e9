import TerminalUI

/// What goes wrong with the scripted loads of a demonstration, to be chosen.
struct FaultSheet: View {
  let model: FaultModel

  var body: some View {
    VStack(alignment: .leading) {
      CatalogOptionList(options: model.options).frame(width: 40, height: model.options.count)
        .defaultFocus()
      Text("")
      ForEach(model.actions) { action in
        Button(action.name, action: action.perform)
      }
      Text("It holds for what is loaded from now on.").foregroundStyle(\.secondary)
    }
  }
}
