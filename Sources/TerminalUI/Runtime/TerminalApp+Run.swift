#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension TerminalApp {
  /// Runs a view on the terminal in which the program was started, until it ends.
  ///
  /// ```swift
  /// @main @MainActor struct Hello {
  ///   static func main() async throws {
  ///     try await TerminalApp.run { Text("Hello") }
  ///   }
  /// }
  /// ```
  ///
  /// `main` is isolated to the main actor, so that nothing uses the runtime's thread pool, which
  /// would wake an idle program every second; see ``workers``.
  ///
  /// `TERM` names the type of the terminal; `NO_COLOR` turns colours off. If a signal ended the
  /// run, it is raised again and ends the process.
  ///
  /// Changes that could still be undone, or are being stored, are not lost if `finish` waits for them:
  ///
  /// ```swift
  /// try await TerminalApp.run(finish: {
  ///   todos.commitHeldMutations()
  ///   let isDone = await todos.mutationsSettled(within: .seconds(2))
  ///   if !isDone || !todos.failedMutations.isEmpty { print("Some changes were not saved.") }
  /// }) {
  ///   AsyncContentView(todos) { todos in
  ///     ForEach(todos, id: \.self) { Text($0) }
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - environment: the values for the whole app. Its theme is shown with the colours that the
  ///     terminal has, see ``Theme/reduced(to:)``.
  ///   - finish: runs before the app ends, see ``finish``.
  ///   - root: the view.
  /// - Throws: `TerminalError` if there is no terminal that can be drawn on.
  @discardableResult
  public static func run(
    environment: EnvironmentValues = EnvironmentValues(),
    finish: (@MainActor () async -> Void)? = nil,
    @ViewBuilder _ root: @escaping @MainActor () -> some View
  ) async throws -> Exit {
    MainLoop.install()
    takeGlobalJobs()
    // The main thread's loop runs from here on, unless a task was suspended before.
    await Task.yield()
    var options = TerminalOptions(terminalType: variable("TERM") ?? "dumb")
    if variable("NO_COLOR") != nil { options.colorDepth = .monochrome }
    let screen = try NcursesScreen(options: options)
    var environment = environment
    environment.theme = environment.theme.reduced(to: screen.colorDepth)
    let app = TerminalApp(screen: screen, environment: environment, root: root)
    app.finish = finish
    let exit = await app.run()
    if case .signal(let number) = exit { raiseAgain(number) }
    return exit
  }

  /// Runs a view like ``run(environment:finish:_:)`` as the whole program, and ends the process: with status 1 and a
  /// sentence on standard error if there is no terminal that can be drawn on, otherwise with 0.
  ///
  /// ```swift
  /// await TerminalApp.main { Text("Hello") }
  /// ```
  public static func main(
    environment: EnvironmentValues = EnvironmentValues(),
    finish: (@MainActor () async -> Void)? = nil,
    @ViewBuilder _ root: @escaping @MainActor () -> some View
  ) async -> Never {
    do {
      try await run(environment: environment, finish: finish, root)
      exit(0)
    } catch {
      "\(error)\n".withCString { _ = write(STDERR_FILENO, $0, strlen($0)) }
      exit(1)
    }
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}
