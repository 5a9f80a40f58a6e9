import ArgumentParser
import Testing

@testable import Argyle

@Suite struct SettingsTests {
  private func settings(_ environment: [String: String], _ arguments: String...) throws -> Settings
  {
    try DisplayOptions.parse(arguments).applied(to: Settings(environment: environment))
  }

  @Test func `without a wish everything moves, in the terminal's own colours`() throws {
    #expect(try settings([:]).display == DisplaySettings())
  }

  @Test func `the environment says how everything is drawn`() throws {
    let display = try settings([
      "ARGYLE_THEME": "high-contrast", "ARGYLE_REDUCE_MOTION": "1", "ARGYLE_PLAIN": "1",
    ]).display
    #expect(
      display == DisplaySettings(theme: .highContrast, reduceMotion: true, isPlain: true))
  }

  @Test func `an option counts more than the environment`() throws {
    let display = try settings(["ARGYLE_THEME": "dark"], "--theme", "light", "--plain").display
    #expect(display == DisplaySettings(theme: .light, isPlain: true))
  }

  @Test func `an empty variable is none`() throws {
    #expect(
      try settings(["ARGYLE_THEME": "", "ARGYLE_PLAIN": "", "ARGYLE_REDUCE_MOTION": ""]).display
        == DisplaySettings())
  }

  @Test func `a theme that does not exist is answered with those that do`() throws {
    #expect {
      try settings(["ARGYLE_THEME": "pink"])
    } throws: { error in
      let text = "\(error)"
      return text.contains("pink") && text.contains("dark, light, high-contrast, mono")
    }
    #expect(try settings(["ARGYLE_THEME": "pink"], "--theme", "mono").display.theme == .mono)
  }
}
