import Foundation
import Loading
import LoadingTesting
import Terminal
import Testing

@testable import Pictures

/// The process that decodes: whatever happens to it, the next picture has one.
///
/// One after the other: some of them poll for what another process does.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ConverterTests {
  let converter = Converter.built()
  let clock = ManualClock()

  func convert(_ name: String = "halves.png") async throws -> CellBuffer {
    try await converter.cells(
      of: Corpus.bytes(name), for: Corpus.request(name), clock: clock.any)
  }

  @Test func `it starts with the first picture and is kept`() async throws {
    #expect(converter.activity.processID == nil)
    _ = try await convert()
    let first = try #require(converter.activity.processID)
    _ = try await convert("halves.gif")
    #expect(converter.activity.processID == first)
    #expect(converter.activity.startCount == 1)
  }

  @Test func `a hundred pictures at once come from one process`() async throws {
    let sizes = try await withThrowingTaskGroup(of: Size.self) { group in
      for index in 0..<100 {
        let name = ["halves.png", "clear.png", "animated.gif", "wide.png"][index % 4]
        group.addTask { try await convert(name).size }
      }
      return try await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
    #expect(
      sizes == [
        Size(width: 4, height: 2): 50, Size(width: 2, height: 2): 25,
        Size(width: 4, height: 1): 25,
      ])
    #expect(converter.activity.startCount == 1)
  }

  // MARK: Killed

  @Test func `one that was killed while idle is replaced, and leaves nothing behind`() async throws
  {
    _ = try await convert()
    let process = try #require(converter.activity.processID)
    let socket = try #require(sockets(of: process).first)
    kill(process, SIGKILL)
    // Noticed without a picture, and waited for: no zombie.
    await wait { converter.activity.processID == nil }
    await wait { kill(process, 0) == -1 && errno == ESRCH }
    _ = try await convert()
    #expect(converter.activity.startCount == 2)
    #expect(try sockets(of: #require(converter.activity.processID)) != [socket])
  }

  @Test func `one that is killed over a picture fails that picture alone`() async throws {
    _ = try await convert()
    let process = try #require(converter.activity.processID)
    kill(process, SIGSTOP)
    let first = Task { try await convert() }
    let second = Task { try await convert("halves.gif") }
    await wait { converter.activity.isConverting }
    kill(process, SIGKILL)
    // Which of them was first is the machine's choice.
    let results = [await first.result, await second.result]
    let errors = results.compactMap { result -> PictureError? in
      if case .failure(let error) = result { error as? PictureError } else { nil }
    }
    #expect(errors == [.converterEnded(.signal(SIGKILL))])
    #expect(converter.activity.startCount == 2)
  }

  @Test func `one whose reader is gone ends at once, and finishes no picture`() throws {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    try #require(socketpair(AF_UNIX, type, 0, &ends) == 0)
    let process = try startConverter(builtConverter, patience: 60, on: ends[1])
    close(ends[1])
    // Stopped, so that it cannot be done before its reader has gone.
    kill(process, SIGSTOP)
    let message = RequestMessage.bytes(
      id: 7, Corpus.request("halves.png"), picture: try Corpus.bytes("halves.png"),
      limits: PictureLimits())
    #expect(write(ends[0], message, message.count) == message.count)
    close(ends[0])
    kill(process, SIGCONT)
    var status: Int32 = -1
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    // An answer would have ended it by SIGPIPE.
    #expect(status == 0)
  }

  // MARK: Hung

  @Test func `one that hangs is killed when its time is over`() async throws {
    _ = try await convert()
    let process = try #require(converter.activity.processID)
    kill(process, SIGSTOP)
    let result = Task { try await convert() }
    // That sleeper is the deadline of the picture that hangs.
    await wait { clock.sleeperCount == 1 && converter.activity.isConverting }
    clock.advance(by: .milliseconds(4999))
    #expect(kill(process, 0) == 0)
    clock.advance(by: .milliseconds(1))
    await #expect(throws: PictureError.tookTooLong(.seconds(5))) { try await result.value }
    #expect(kill(process, 0) == -1)
    _ = try await convert()
    #expect(converter.activity.startCount == 2)
    #expect(clock.sleeperCount == 0)
  }

  @Test func `waiting for another picture counts toward no deadline`() async throws {
    _ = try await convert()
    kill(try #require(converter.activity.processID), SIGSTOP)
    let first = Task { try await convert() }
    await wait { clock.sleeperCount == 1 && converter.activity.isConverting }
    let second = Task { try await convert("halves.gif") }
    clock.advance(by: .seconds(5))
    await #expect(throws: PictureError.tookTooLong(.seconds(5))) { try await first.value }
    #expect(try await second.value.size == Size(width: 4, height: 2))
  }

  // MARK: Cancelled

  @Test func `a cancelled picture ends at once, and its process with it`() async throws {
    _ = try await convert()
    let process = try #require(converter.activity.processID)
    kill(process, SIGSTOP)
    let task = Task { try await convert() }
    await wait { converter.activity.isConverting }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(kill(process, 0) == -1)
    _ = try await convert()
    #expect(clock.sleeperCount == 0)
  }

  @Test func `a picture that was cancelled while it waited is never begun`() async throws {
    _ = try await convert()
    let process = try #require(converter.activity.processID)
    kill(process, SIGSTOP)
    let first = Task { try await convert() }
    await wait { converter.activity.isConverting }
    let waiting = (0..<20).map { _ in Task { try await convert("halves.gif") } }
    for task in waiting { task.cancel() }
    for task in waiting {
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    kill(process, SIGCONT)
    #expect(try await first.value.size == Size(width: 4, height: 2))
    #expect(converter.activity.processID == process)
    #expect(converter.activity.startCount == 1)
  }

  // MARK: Other programs in its place

  @Test(arguments: [
    // Talks without end, and without having been asked.
    ("/usr/bin/yes", PictureError.invalidAnswer),
    // Sends the question back.
    ("/bin/cat", .invalidAnswer),
    ("/bin/false", .converterEnded(.status(1))),
    ("/bin/true", .converterEnded(.status(0))),
    ("/etc/passwd", .cannotStart(code: EACCES)),
    ("/nowhere/argyle-pictures", .cannotStart(code: ENOENT)),
  ])
  func `what is no converter is found out`(path: String, error: PictureError) async throws {
    let converter = Converter(path: path)
    for _ in 0..<2 {
      await #expect(throws: error) {
        try await converter.cells(
          of: Corpus.bytes("halves.png"), for: Corpus.request("halves.png"))
      }
    }
    await wait { converter.activity.processID == nil }
  }

  // MARK: Its cell

  @Test func `where it cannot be confined it decodes nothing, and says why`() async throws {
    // Less memory than it allows itself, which only the superuser could raise again.
    let script = """
      #!/bin/sh
      ulimit -v 900000
      [ "$(id -u)" = 0 ] && exec setpriv --bounding-set -sys_resource '\(builtConverter)'
      exec '\(builtConverter)'
      """
    let path = NSTemporaryDirectory() + UUID().uuidString
    defer { unlink(path) }
    try script.write(toFile: path, atomically: false, encoding: .utf8)
    try #require(chmod(path, 0o700) == 0)
    await #expect(throws: PictureError.noSandbox) {
      try await Converter.built(path).cells(
        of: Corpus.bytes("halves.png"), for: Corpus.request("halves.png"))
    }
  }

  @Test func `it can open nothing, start nothing and grow no further`() async throws {
    _ = try await convert()
    let process = try #require(converter.activity.processID)
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    #expect(status.contains("Seccomp:\t2"))
    #expect(status.contains("NoNewPrivs:\t1"))
    #expect(status.contains("Threads:\t1"))
    let limits = try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8)
      .split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
    #expect(limits.contains("Max address space 1073741824 1073741824 bytes"))
    #expect(limits.contains("Max file size 0 0 bytes"))
    #expect(limits.contains("Max open files 3 3 files"))
    #expect(limits.contains("Max processes 0 0 processes"))
    #expect(limits.contains("Max core file size 0 0 bytes"))
    let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd")
    #expect(open.sorted() == ["0", "1", "2"])
    let environment = try Data(contentsOf: URL(fileURLWithPath: "/proc/\(process)/environ"))
    #expect(
      String(decoding: environment, as: UTF8.self)
        == "SWIFT_BACKTRACE=enable=no\0PATIENCE=3600\0")
  }

  @Test func `it goes when its owner does`() async throws {
    var owner: Converter? = .built()
    _ = try await owner?.cells(
      of: Corpus.bytes("halves.png"), for: Corpus.request("halves.png"))
    let process = try #require(owner?.activity.processID)
    owner = nil
    await wait { kill(process, 0) == -1 && errno == ESRCH }
  }

  /// The sockets that a process has as its input.
  private func sockets(of process: Int32) -> [String] {
    let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/fd/0")
    return link.map { [$0] } ?? []
  }
}
