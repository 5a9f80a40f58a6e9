import Loading
import TerminalUI

/// The whole program on a script, with one of its parts in front.
struct ProgramScene: View {
  let model: ProgramModel

  init(
    _ runtime: SceneRuntime, _ script: DemoScript = DemoScript(.full),
    part: ProgramModel.Part = .articles, drawer: DemoDrawer? = nil, opensArticle: Bool = false
  ) {
    model = ProgramModel(
      part: part, source: script.under(runtime.faults).source,
      socks: Resource(
        initialState: .loaded((drawer ?? DemoDrawer(runtime)).model), name: "drawer",
        clock: runtime.clock,
        scheduler: runtime.scheduler), pictures: .demo, scripted: runtime,
      clock: runtime.clock, scheduler: runtime.scheduler)
    // As in the program: a narrow screen shows no list of feeds that would load them.
    model.reader.prepare()
    if opensArticle { DemoLibrary.handbook.articles.first.map(model.reader.open) }
  }

  var body: some View { RootScreen(model: model, days: .demo) }
}
