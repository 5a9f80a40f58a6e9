// swift-tools-version: 6.3
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
        "CSAX", "footprint", "frames", "spinners",
        .product(name: "Articles", package: "argyle"),
        .product(name: "Loading", package: "argyle"),
        .product(name: "LoadingTesting", package: "argyle"),
        .product(name: "Pictures", package: "argyle"),
        .product(name: "Socks", package: "argyle"),
        .product(name: "OpenCombine", package: "OpenCombine"),
      ]),
    .systemLibrary(name: "CAllocator"),
    // The peer of our parser: libxml2 by itself.
    .systemLibrary(name: "CLibXML", pkgConfig: "libxml-2.0"),
    .target(name: "CSAX", dependencies: ["CLibXML"]),
    // Its memory is measured in a process of its own.
    .executableTarget(
      name: "footprint",
      dependencies: [
        "CAllocator",
        .product(name: "Loading", package: "argyle"),
        .product(name: "OpenCombine", package: "OpenCombine"),
      ]),
    .target(name: "AllocationCounter"),
    // Its allocations are counted in a process of its own.
    .executableTarget(
      name: "frames",
      dependencies: [
        "AllocationCounter",
        .product(name: "LoadingTesting", package: "argyle"),
        .product(name: "TerminalUI", package: "argyle"),
      ]),
    // Our side of the spinners that the peers draw.
    .executableTarget(
      name: "spinners", dependencies: [.product(name: "TerminalUI", package: "argyle")]),
  ],
  swiftLanguageModes: [.v6]
)
