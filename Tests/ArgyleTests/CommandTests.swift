import ArgumentParser
import Testing

@testable import Argyle

@Suite struct CommandTests {
  private func all(below command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
    [command] + command.configuration.subcommands.flatMap { all(below: $0) }
  }

  @Test func `every command states its name, so that none is made of a type's`() {
    let unnamed = all(below: Argyle.self).filter { $0.configuration.commandName == nil }
    #expect(unnamed.map { "\($0)" } == [])
  }
}
