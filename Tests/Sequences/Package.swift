// swift-tools-version: 6.3
import PackageDescription

// Compares the frames of random sequences of changes with those from nothing: the views and the test's
// own files, built with optimisation, since a debug build takes five times as long for each.
let testable: [SwiftSetting] = [.unsafeFlags(["-enable-testing"])]

let package = Package(
  name: "sequences",
  platforms: [.macOS(.v15)],
  targets: [
    .systemLibrary(name: "CNcurses"),
    .target(name: "CMainLoop", exclude: ["README.md"]),
    .target(name: "CSignals"),
    .target(name: "CThreads"),
    .target(name: "Loading", exclude: ["Loading.docc"]),
    .target(name: "LoadingTesting", dependencies: ["Loading"]),
    .target(name: "Terminal", dependencies: ["CMainLoop", "CNcurses", "CSignals"]),
    .target(
      name: "TerminalUI", dependencies: ["CThreads", "Loading", "Terminal"],
      exclude: ["TerminalUI.docc"], swiftSettings: testable),
    .target(name: "PseudoTerminal"),
    .executableTarget(
      name: "sequences", dependencies: ["LoadingTesting", "PseudoTerminal", "TerminalUI"]),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .c2x
)
