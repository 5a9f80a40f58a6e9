import Foundation
import PseudoTerminal
import Testing

@testable import Storage

/// Who has the lock of a folder.
@Suite struct FolderLockTests {
  @Test func `a lock ends with its object, also while a program starts that has inherited it`()
    throws
  {
    let directory = try TemporaryDirectory()
    var lock: FolderLock? = try FolderLock(directory.path)
    #expect(throws: StoreError.locked(path: directory.path)) { try FolderLock(directory.path) }
    // The copy that a child has between its fork and the program that it runs.
    let copy = dup(try #require(lock?.folder))
    defer { close(copy) }
    lock = nil
    _ = try FolderLock(directory.path)
  }
}
