import CThreads

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension TerminalApp {
  /// Runs a view on the terminal that the program was started in, until the end.
  ///
  /// ```swift
  /// @main struct Hello {
  ///   @MainActor static func main() async throws {
  ///     try await TerminalApp.run { Text("Hello") }
  ///   }
  /// }
  /// ```
  ///
  /// `TERM` says what kind of terminal it is, and `NO_COLOR` whether colours are unwanted. Where a
  /// signal asked for the end, the process ends by it.
  ///
  /// - Throws: `TerminalError` when there is no terminal that can be drawn on.
  @discardableResult
  public static func run(
    @ViewBuilder _ root: @escaping @MainActor () -> some View
  ) async throws -> Exit {
    MainLoop.install()
    threads_put_main_first()
    // From here on that loop runs, unless somebody has waited before.
    await Task.yield()
    var environment = EnvironmentValues()
    var options = TerminalOptions(terminalType: variable("TERM") ?? "dumb")
    if variable("NO_COLOR") != nil { options.colorDepth = .monochrome }
    let screen = try NcursesScreen(options: options)
    // A selection that is nothing but a colour would not be seen.
    if !screen.hasColors { environment.theme = .mono }
    let exit = await TerminalApp(screen: screen, environment: environment, root: root).run()
    if case .signal(let number) = exit { raiseAgain(number) }
    return exit
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}
