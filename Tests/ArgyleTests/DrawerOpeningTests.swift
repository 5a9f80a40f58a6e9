import Loading
import PseudoTerminal
import Socks
import TerminalUI
import TerminalUITesting
import Testing

@testable import Argyle

/// Tests of opening the drawer with the changes that the last run has left.
@MainActor
@Suite struct DrawerOpeningTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func open() async throws -> DrawerModel {
    let settings = Settings(environment: [:], dataDirectory: directory.path)
    return try await Loader.drawer(in: settings, pictures: .demo, scheduler: .concurrent).value()
  }

  /// Shows a screen with this drawer, and returns the messages on it.
  private func messages(of model: DrawerModel) -> String {
    let toasts = ToastQueue()
    let stage = Stage(150, 12, environment: EnvironmentValues(DisplaySettings())) {
      Text("").following(model, toasts: toasts).toasts(toasts)
    }
    return stage.text
  }

  @Test func `changes of the last run that cannot be read are reported, and the drawer opens`()
    async throws
  {
    _ = try directory.write("no journal", to: "socks-outbox.sqlite")
    let model = try await open()
    let messages = messages(of: model)
    #expect(messages.contains("Changes of socks from the last run could not be read."))
    #expect(messages.contains("The file of unsaved changes was not written by this program."))
  }

  @Test func `another program that has the journal open is no failure`() async throws {
    let journal = try DrawerJournal(directory: directory.path)
    let model = try await open()
    #expect(model.unreadChanges == nil)
    withExtendedLifetime(journal) {}
  }
}
