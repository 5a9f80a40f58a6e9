// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "argyle", path: "../.."),
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
  ],
  targets: [
    .executableTarget(
      name: "benchmarks",
      dependencies: [
        "footprint", "spinner",
        .product(name: "Loading", package: "argyle"),
        .product(name: "LoadingTesting", package: "argyle"),
        .product(name: "Socks", package: "argyle"),
        .product(name: "OpenCombine", package: "OpenCombine"),
      ]),
    .systemLibrary(name: "CAllocator"),
    // Its memory is measured in a process of its own.
    .executableTarget(
      name: "footprint",
      dependencies: [
        "CAllocator",
        .product(name: "Loading", package: "argyle"),
        .product(name: "OpenCombine", package: "OpenCombine"),
      ]),
    // Our side of the spinner that the peer draws with bare ncurses.
    .executableTarget(
      name: "spinner", dependencies: [.product(name: "TerminalUI", package: "argyle")]),
  ],
  swiftLanguageModes: [.v6]
)
