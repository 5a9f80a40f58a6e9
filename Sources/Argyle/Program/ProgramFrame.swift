import TerminalUI

/// What is around every screen of the program: the keys below, or what there is to be said, and the
/// keys that lead out.
struct ProgramFrame<Content: View>: View {
  private let notice: String?
  private let content: Content
  @State private var showsKeys = false
  @Environment(\.quit) private var quit

  init(notice: String? = nil, @ViewBuilder content: () -> Content) {
    self.notice = notice
    self.content = content()
  }

  var body: some View {
    VStack(alignment: .leading) {
      content
      if let notice {
        Text(notice).lineLimit(1).foregroundStyle(\.secondary)
      } else {
        KeyFooter()
      }
    }
    // While a text is typed, characters are text: the function keys work there too.
    .onKeyPress("?", KeyPress(.function(1)), label: "keys") { showsKeys = true }
    .onKeyPress("q", KeyPress(.function(10)), label: "quit") { quit?() }
    .sheet(isPresented: $showsKeys, title: "Keys") { KeyList() }
  }
}
