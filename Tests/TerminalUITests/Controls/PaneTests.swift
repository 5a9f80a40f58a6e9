import Terminal
import TerminalUITesting
import Testing

@testable import TerminalUI

/// Tests that only the pane with the focus is marked.
@MainActor
@Suite struct PaneTests {
  nonisolated static let themes: [Theme] = [.standard, .dark, .light, .highContrast, .mono]

  private func panes(_ theme: Theme, isPlain: Bool = false) -> Stage {
    Stage(30, 4) {
      HStack(alignment: .top) {
        Text("feed").frame(width: 12, height: 2).focusable().pane("Feeds")
        VStack(alignment: .leading) {
          Text("Articles").paneTitle()
          Text("article").focusable()
        }
        .focusSection()
      }
      .environment(\.theme, theme)
      .environment(\.isPlain, isPlain)
    }
  }

  @Test(arguments: themes) func `the title shows which pane has the focus`(theme: Theme) throws {
    let stage = panes(theme)
    func styles() throws -> (feeds: Style, articles: Style) {
      (try #require(stage.style(of: "Feeds")), try #require(stage.style(of: "Articles")))
    }
    let text = stage.text
    let before = try styles()
    stage.press(.tab)
    let after = try styles()
    #expect(stage.text == text)
    #expect(before.feeds == after.articles)
    #expect(before.articles == after.feeds)
    #expect(before.feeds.foreground == theme.accent)
    #expect(before.articles.foreground == theme.secondary)
    // Without colours, bold alone is not enough, since many terminals do not show it.
    #expect(before.feeds.attributes.contains(.reverse) == (theme == .mono))
    #expect(before.feeds.attributes.contains(.bold))
    #expect(before.articles.attributes == [])
  }

  @Test(arguments: themes) func `so does the border`(theme: Theme) {
    let stage = panes(theme)
    #expect(stage.style(of: "╰")?.foreground == theme.accent)
    stage.press(.tab)
    #expect(stage.style(of: "╰")?.foreground == theme.separator)
  }

  @Test func `in plain mode the cursor stands in the pane that has the focus`() {
    let stage = panes(.standard, isPlain: true)
    #expect(stage.frame.cursor == Point(x: 0, y: 1))
    stage.press(.tab)
    #expect(stage.frame.cursor == Point(x: 13, y: 1))
    #expect(stage.style(of: "Articles")?.attributes.contains(.reverse) == false)
  }

  @Test(arguments: themes) func `the tabs are set apart from what is below them`(theme: Theme) {
    let stage = Stage(30, 3) {
      TabView(selection: .constant(1)) {
        Tab("Articles", value: 1) { Text("article") }
        Tab("Socks", value: 2) { Text("sock") }
      }
      .environment(\.theme, theme)
    }
    #expect(stage.text == "[1 Articles] 2 Socks\narticle\n")
    for x in 0..<30 {
      let (bar, below) = (stage.frame.cells[x, 0].style, stage.frame.cells[x, 1].style)
      #expect(bar.background != below.background || bar.attributes.contains(.underline))
      #expect(!below.attributes.contains(.underline))
    }
  }
}
