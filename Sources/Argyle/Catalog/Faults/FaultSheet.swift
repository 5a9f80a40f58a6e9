import TerminalUI

/// A sheet in which the user chooses the faults of scripted loads.
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
