import Foundation
import HTTP
import Loading
import LoadingTesting
import TestServer
import Testing

@testable import Pictures

/// Pictures from the web that are also on the disk.
extension PictureLibraryTests {
  @Test func `what is shown is on the disk, for the next time`() async throws {
    server["/halves"] = .whole(try Corpus.bytes("halves.png"))
    let stored = folder + "/stored"
    let library = PictureLibrary(
      client: HTTPClient(), converterPath: builtConverter, folder: stored)
    // A slow disk: it is ready long after everything else.
    let disk = DispatchSemaphore(value: 0)
    library.disk.async { disk.wait() }
    let source = PictureSource.web(server.url("/halves"))
    let picture = Task {
      let picture = try await load(source, from: library, cause: .user)
      return (picture, try FileManager.default.contentsOfDirectory(atPath: stored))
    }
    try await server.requests(count: 1)
    for _ in 1...10 { _ = try await load(source, cause: .user) }
    disk.signal()
    let (shown, names) = try await picture.value
    #expect(described(shown.cells) == Self.halves)
    #expect(names.count == 1)
  }

  @Test func `a picture on the disk is fetched again after a day, and used if that fails`()
    async throws
  {
    let stored = folder + "/stored"
    let network = LoadGate("offline")
    // Each time in a program of its own, which has nothing in memory.
    func cells() async throws -> [[String]] {
      let library = PictureLibrary(
        client: HTTPClient(), converterPath: builtConverter, folder: stored, network: network)
      return described(try await load(.web(server.url("/daily")), from: library).cells)
    }
    server["/daily"] = .whole(try Corpus.bytes("halves.png"))
    #expect(try await cells() == Self.halves)
    server["/daily"] = .whole("gone", status: 404)
    #expect(try await cells() == Self.halves)
    #expect(server.requests.count == 1)

    try makeOld(stored)
    #expect(try await cells() == Self.halves)
    #expect(server.requests.count == 2)
    // The page that a network for guests shows before its terms are accepted.
    server["/daily"] = .whole("<html>")
    #expect(try await cells() == Self.halves)
    #expect(server.requests.count == 3)
    network.close()
    #expect(try await cells() == Self.halves)
    network.open()
    #expect(server.requests.count == 3)

    server["/daily"] = .whole(try Corpus.bytes("clear.png"))
    let new = try await cells()
    #expect(new != Self.halves)
    server["/daily"] = .whole("gone", status: 404)
    #expect(try await cells() == new)
    #expect(server.requests.count == 4)
  }

  @Test(arguments: [
    "<?xml version='1.0'?><!DOCTYPE html><html><body><svg/></body></html>", "....ftypavif", nil,
  ]) func `what cannot be shown does not take the place of an older picture`(
    answer: String?
  ) async throws {
    let source = PictureSource.web(server.url("/daily"))
    let halves = try Corpus.bytes("halves.png")
    func library() -> PictureLibrary {
      PictureLibrary(
        client: HTTPClient(), converterPath: builtConverter, folder: folder + "/stored")
    }
    server["/daily"] = .whole(halves)
    _ = try await load(source, from: library())
    try makeOld(folder + "/stored")
    server["/daily"] = answer.map { .whole($0) } ?? .whole(halves.prefix(60))
    let other = library()
    #expect(described(try await load(source, from: other).cells) == Self.halves)
    // In another size or with another label, and in the next program.
    let again = other.loader(for: request(source, label: "again"))
    #expect(
      described(try await again.value(cause: .appeared, clock: ManualClock().any).cells)
        == Self.halves)
    #expect(described(try await load(source, from: library()).cells) == Self.halves)
    #expect(server.requests.count == 4)
    // The user is told that a reload has failed, and finds the picture afterwards, whether it was
    // on the disk or in memory.
    server["/daily"] = .whole(halves)
    let inMemory = library()
    _ = try await load(source, from: inMemory)
    server["/daily"] = answer.map { .whole($0) } ?? .whole(halves.prefix(60))
    for library in [library(), inMemory] {
      await #expect(throws: PictureError.self) {
        try await load(source, from: library, cause: .user)
      }
      let again = library.loader(for: request(source, label: "again"))
      #expect(
        described(try await again.value(cause: .appeared, clock: ManualClock().any).cells)
          == Self.halves)
    }
    #expect(server.requests.count == 7)
  }

  @Test func `what cannot be shown is not fetched again at each look, on any day`() async throws {
    server["/daily"] = .whole("....ftypavif")
    let clock = ManualClock()
    let library = PictureLibrary(
      client: HTTPClient(), converterPath: builtConverter, folder: folder + "/stored")
    func look(_ label: String) async {
      await #expect(throws: PictureError.typeNotShown("AVIF")) {
        let loader = library.loader(for: request(.web(server.url("/daily")), label: label))
        return try await loader.value(cause: .appeared, clock: clock.any)
      }
    }
    for day in 1...2 {
      await look("morning \(day)")
      await look("evening \(day)")
      #expect(server.requests.count == day)
      clock.advance(by: .seconds(25 * 3600))
    }
  }

  @Test func `an old picture is shown while it is fetched again`() async throws {
    let source = PictureSource.web(server.url("/daily"))
    func library() -> PictureLibrary {
      PictureLibrary(
        client: HTTPClient(), converterPath: builtConverter, folder: folder + "/stored")
    }
    server["/daily"] = .whole(try Corpus.bytes("halves.png"))
    _ = try await load(source, from: library())
    try makeOld(folder + "/stored")
    server["/daily"] = Answer([.hold] + Answer.whole(try Corpus.bytes("clear.png")).steps)
    let runtime = ManualRuntime()
    let resource = runtime.resource(library().loader(for: request(source)))
    resource.appear()
    await runtime.run(until: { resource.state.value != nil })
    #expect(resource.state.value.map { described($0.cells) } == Self.halves)
    server.release("/daily")
    await runtime.run(until: { resource.activity == nil })
    let new = try #require(resource.state.value)
    #expect(described(new.cells) != Self.halves)
  }

  @Test func `pictures on the disk are shown while other servers do not answer`() async throws {
    let old = (1...12).map { "/old/\($0)" }
    let fresh = (1...2).map { "/fresh/\($0)" }
    func library() -> PictureLibrary {
      PictureLibrary(
        client: HTTPClient(), converterPath: builtConverter, folder: folder + "/stored")
    }
    func store(_ paths: [String]) async throws {
      for path in paths {
        server[path] = .whole(try Corpus.bytes("halves.png"))
        _ = try await load(.web(server.url(path)), from: library())
      }
    }
    try await store(old)
    try makeOld(folder + "/stored")
    try await store(fresh)
    for path in old { server[path] = Answer([.hold]) }
    // More pictures than fetches at the same time.
    // None of the fetches ends while the pictures are being converted, however long that takes.
    let patient = HTTPRequest.Limits(stall: .seconds(600), total: .seconds(600))
    let later = PictureLibrary(
      client: HTTPClient(), requestLimits: { patient }, converterPath: builtConverter,
      folder: folder + "/stored")
    let runtime = ManualRuntime()
    let resources = (old + fresh).map { path in
      runtime.resource(later.loader(for: request(.web(server.url(path)))))
    }
    for resource in resources { resource.appear() }
    await runtime.run(until: { resources.allSatisfy { $0.state.value != nil } })
    #expect(
      resources.allSatisfy { $0.state.value.map { described($0.cells) } == Self.halves })
    #expect(resources.count { $0.activity != nil } == old.count)
  }

  /// Makes all files of a folder as old as if they were fetched on the day before.
  private func makeOld(_ folder: String) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -25 * 3600)],
        ofItemAtPath: folder + "/" + name)
    }
  }
}
