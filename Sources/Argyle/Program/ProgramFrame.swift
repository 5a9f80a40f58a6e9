import Loading
import TerminalUI

/// The frame around every screen of the program: a message and the footer with the keys, and the
/// keys that work everywhere, such as the one that quits.
struct ProgramFrame: View {
  private let notice: Notice?
  private let work: UnfinishedWork?
  private let content: AnyView
  @State private var showsKeys = false
  @State private var showsInspector = false
  @State private var showsFaults = false
  @Environment(\.terminal) private var terminal
  @Environment(LoadingObserver.self) private var observer: LoadingObserver?
  @Environment(FaultModel.self) private var faults: FaultModel?

  init(
    notice: Notice? = nil, work: UnfinishedWork? = nil, @ViewBuilder content: () -> some View
  ) {
    self.notice = notice
    self.work = work
    self.content = AnyView(content())
  }

  var body: some View {
    GeometryReader { size in
      screen
        .sheet(isPresented: $showsFaults, title: "Faults of the next loads") {
          if let faults {
            FaultSheet(model: faults)
              .onKeyPress(action: .chooseFaults, label: "close", footer: .never) {
                showsFaults = false
              }
          }
        }
        // In front of every sheet but the list of keys, which it takes the place of.
        .sheet(isPresented: $showsInspector, title: "Loading") {
          if let observer {
            Inspector(observer: observer, size: size)
              .onKeyPress(action: .inspect, label: "close", footer: .never) {
                showsInspector = false
              }
          }
        }
        // Each of these actions has a function key, which works while text is being typed.
        .onKeyPressInSheetsToo(action: .showKeys) { showsKeys = true }
        .onKeyPress(action: .chooseFaults, footer: .never, when: faults != nil) {
          showsFaults = true
        }
        .onKeyPress(action: .quit) { terminal?.quit() }
        // After the other sheets, since it lists their keys in front of them.
        .sheet(isPresented: $showsKeys, title: "Keys") {
          KeyList(elsewhere: KeyTable.program.sections.map { ($0.title, $0.actions) })
            .onKeyPress(action: .showKeys, label: "close", footer: .never) {
              showsKeys = false
            }
        }
        // Around the list of keys, too.
        .onKeyPressInSheetsToo(action: .inspect, footer: .never, when: observer != nil) {
          showsKeys = false
          showsInspector = true
        }
    }
  }

  private var screen: some View {
    VStack(alignment: .leading) {
      content
      if let notice { NoticeLine(notice: notice) }
      if work?.isFinishing == true {
        ProgressView("saving")
      } else {
        KeyFooter()
      }
    }
  }
}
