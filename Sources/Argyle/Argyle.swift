import ArgumentParser

@main
struct Argyle: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "argyle")
}
