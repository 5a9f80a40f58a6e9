// swift-tools-version: 6.3
import PackageDescription

// Only the program and its stores need other packages: see the trait.
let ofProgram = TargetDependencyCondition.when(traits: ["Program"])
let grdb = Target.Dependency.product(
  name: "GRDB", package: "GRDB.swift", condition: ofProgram)
let sqlite = Target.Dependency.product(
  name: "GRDBSQLite", package: "GRDB.swift", condition: ofProgram)
let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser", condition: ofProgram)

let package = Package(
  name: "argyle",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "Loading", targets: ["Loading"]),
    .library(name: "LoadingTesting", targets: ["LoadingTesting"]),
    .library(name: "Terminal", targets: ["Terminal"]),
    .library(name: "TerminalUI", targets: ["TerminalUI"]),
    .library(name: "TerminalUITesting", targets: ["TerminalUITesting"]),
    .library(name: "Pictures", targets: ["Pictures", "HTTP"]),
    // For the benchmarks, which are a package of their own.
    .library(name: "Socks", targets: ["Socks"]),
    .library(name: "Articles", targets: ["Articles"]),
    .executable(name: "argyle", targets: ["Argyle"]),
    .executable(name: "argyle-pictures", targets: ["PictureConverter"]),
  ],
  traits: [
    // On unless a package that depends on this one says `traits: []`: then nothing but the libraries
    // without further dependencies is fetched and built.
    .trait(
      name: "Program", description: "The program, and the libraries that need other packages."),
    .default(enabledTraits: ["Program"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),
  ],
  targets: [
    .systemLibrary(
      name: "CNcurses", providers: [.apt(["libncurses-dev"]), .brew(["ncurses"])]),
    .systemLibrary(
      name: "CXML", pkgConfig: "libxml-2.0",
      providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]),
    .systemLibrary(
      name: "CGumbo", pkgConfig: "gumbo",
      providers: [.apt(["libgumbo-dev"]), .brew(["gumbo-parser"])]),
    .systemLibrary(
      name: "CChafa", pkgConfig: "chafa gdk-pixbuf-2.0",
      providers: [
        .apt(["libchafa-dev", "libgdk-pixbuf-2.0-dev", "webp-pixbuf-loader"]),
        .brew(["chafa", "gdk-pixbuf", "webp-pixbuf-loader"]),
      ]),
    .systemLibrary(
      name: "CCmark", pkgConfig: "libcmark-gfm",
      providers: [
        .apt(["libcmark-gfm-dev", "libcmark-gfm-extensions-dev"]), .brew(["cmark-gfm"]),
      ]),
    // Not linked, but loaded when it is needed first.
    .target(name: "CCurl"),
    .target(name: "CThreads"),
    .target(name: "CSignals"),
    // The private functions that the main thread's own loop is built on.
    .target(name: "CMainLoop", exclude: ["README.md"]),
    // What `make build` links to in place of the tables of ICU.
    .target(name: "CWithoutICU"),
    // The bundled articles, compiled in: a moved binary needs no files beside it.
    .target(name: "CAssets"),

    // What may be read of texts and files from outside, for everything that reads them.
    .target(name: "Limits"),
    // How an error explains itself to the user, in every module.
    .target(name: "UserErrors"),
    .target(name: "Loading"),
    .target(name: "LoadingTesting", dependencies: ["Loading"]),
    .target(name: "Terminal", dependencies: ["CMainLoop", "CNcurses", "CSignals"]),
    .target(name: "TerminalUI", dependencies: ["Terminal", "Loading", "CThreads"]),
    .target(name: "TerminalUITesting", dependencies: ["TerminalUI", "LoadingTesting"]),
    .target(name: "HTTP", dependencies: ["Limits", "CCurl", "CThreads"]),
    .target(
      name: "Pictures", dependencies: ["Terminal", "Loading", "HTTP", "Limits", "UserErrors"]),
    // A process of its own for decoding: nobody links to it, and it links to nobody.
    .executableTarget(
      name: "PictureConverter",
      dependencies: [.target(name: "CChafa", condition: ofProgram)]),
    .target(
      name: "Articles",
      dependencies: [
        "Limits", "Loading", "HTTP", "Storage", "UserErrors", "CXML", "CGumbo", "CCmark",
        grdb,
        sqlite,
      ]),
    // SQLite files that several processes share: what every store has in common.
    .target(
      name: "Storage",
      dependencies: [
        "CThreads",
        grdb,
        sqlite,
      ]),
    .target(
      name: "Socks",
      dependencies: ["Loading", "Storage", "UserErrors", grdb]),
    .executableTarget(
      name: "Argyle",
      dependencies: [
        "Limits", "Loading", "LoadingTesting", "Terminal", "TerminalUI", "HTTP", "Pictures",
        "Articles", "Socks", "Storage", "CAssets", "CWithoutICU",
        argumentParser,
      ]),

    // Helpers of the tests: a scripted HTTP server, and a real pty with an emulated screen.
    .target(name: "TestServer", path: "Tests/TestServer"),
    .target(name: "PseudoTerminal", path: "Tests/PseudoTerminal"),

    // A small program for the tests of the ways out of a terminal.
    .executableTarget(
      name: "ScreenFixture", dependencies: ["Terminal"], path: "Tests/ScreenFixture"),
    // A small program for the tests of the event loop on a terminal.
    .executableTarget(
      name: "AppFixture", dependencies: ["TerminalUI"], path: "Tests/AppFixture"),

    .testTarget(name: "LimitsTests", dependencies: ["Limits", "PseudoTerminal"]),
    .testTarget(name: "LoadingTests", dependencies: ["Loading", "LoadingTesting"]),
    .testTarget(
      name: "TerminalTests", dependencies: ["Terminal", "PseudoTerminal", "ScreenFixture"]),
    .testTarget(
      name: "TerminalUITests",
      dependencies: [
        "TerminalUI", "TerminalUITesting", "Loading", "LoadingTesting", "PseudoTerminal",
        "AppFixture",
      ],
      exclude: ["Loading/Snapshots"]),
    .testTarget(
      name: "HTTPTests", dependencies: ["HTTP", "Limits", "TestServer", "PseudoTerminal"]),
    .testTarget(
      name: "PicturesTests",
      dependencies: [
        "Pictures", "PictureConverter", "LoadingTesting", "TestServer", "PseudoTerminal",
      ],
      // Read where they are, by the name of the source beside them.
      exclude: ["Corpus"]),
    .testTarget(
      name: "ArticlesTests",
      dependencies: ["Articles", "Limits", "LoadingTesting", "TestServer", "PseudoTerminal"],
      exclude: ["ExtractionPages", "FeedparserCorpus/Differences.md", "OldStores"]),
    .testTarget(
      name: "StorageTests",
      dependencies: ["Storage", "PseudoTerminal", grdb]),
    // A small program for the tests of what is left of a drawer when its user is killed.
    .executableTarget(
      name: "SockFixture", dependencies: ["Socks", "Loading", "HTTP"], path: "Tests/SockFixture"),

    .testTarget(
      name: "SocksTests",
      dependencies: [
        "Socks", "SockFixture", "Storage", "LoadingTesting", "PseudoTerminal", "TestServer",
        grdb,
      ]),
    .testTarget(
      name: "ArgyleTests",
      dependencies: ["Argyle", "LoadingTesting", "TerminalUITesting", "PseudoTerminal"]),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "Argyle", "PseudoTerminal", "TestServer", "Terminal", "Storage",
        grdb,
      ]),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .c2x
)
