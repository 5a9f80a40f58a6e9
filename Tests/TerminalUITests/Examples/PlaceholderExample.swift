import Loading
import LoadingTesting
import TerminalUITesting
import Testing

@testable import TerminalUI

private struct Profile: Sendable {
  var name = "Some Longer Name"
  var about = "Two or three words about it."
}

/// Sample data in the shape of the content while it loads, so that nothing moves.
private struct ProfileView: View {
  let loader: Loader<Profile>

  var body: some View {
    AsyncContentView(loader: loader) { profile in
      VStack(alignment: .leading) {
        Text(profile.name).bold()
        Text(profile.about).frame(width: 20, alignment: .leading)
      }
      .border()
    }
    .placeholder(Profile())
    .redactionStyle(.dots)
  }
}

@MainActor
@Suite struct PlaceholderExample {
  @Test func `a placeholder has the shape of what comes`() {
    let loads = ManualLoads<Profile>()
    let stage = Stage(22, 5) { ProfileView(loader: loads.loader) }
    #expect(stage.text == "\n\n\n\n")
    stage.advance(by: .milliseconds(200))
    #expect(
      stage.text == """
        ╭────────────────────╮
        │···· ······ ····    │
        │··· ·· ····· ·····  │
        │····· ···           │
        ╰────────────────────╯
        """)
    loads[0].succeed(Profile(name: "Ada Lovelace", about: "Wrote the first one, in 1843."))
    stage.settle()
    #expect(
      stage.text == """
        ╭────────────────────╮
        │Ada Lovelace        │
        │Wrote the first one,│
        │in 1843.            │
        ╰────────────────────╯
        """)
  }
}
