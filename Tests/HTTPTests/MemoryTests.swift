#if canImport(Glibc)
  import Foundation
  import Testing

  @testable import HTTP

  /// The allocator belongs to the whole process, so this has a process of its own.
  @Suite struct MemoryTests {
    @Test func `however many threads allocate, there are two arenas`() async {
      await #expect(processExitsWith: .success) {
        HTTPClient.returnMemory()
        let (allocated, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        // All at the same time: a thread that ends leaves its arena to the next one.
        for number in 1...32 {
          Thread.detachNewThread {
            let memory = malloc(1_000 + number)
            allocated.signal()
            end.wait()
            free(memory)
          }
        }
        for _ in 1...32 { allocated.wait() }
        let count = try arenaCount()
        for _ in 1...32 { end.signal() }
        try #require(count == 2, "\(count) arenas")
      }
    }
  }

  /// How many arenas the allocator lists.
  private func arenaCount() throws -> Int {
    typealias List = @convention(c) (CInt, UnsafeMutablePointer<FILE>) -> CInt
    let symbol = try #require(dlsym(dlopen(nil, RTLD_NOW), "malloc_info"))
    let list = unsafeBitCast(symbol, to: List.self)
    let file = try #require(tmpfile())
    defer { fclose(file) }
    try #require(list(0, file) == 0)
    rewind(file)
    var text = ""
    while let byte = Optional(fgetc(file)), byte >= 0 {
      text.unicodeScalars.append(Unicode.Scalar(UInt8(byte)))
    }
    return text.components(separatedBy: "<heap nr=").count - 1
  }
#endif
