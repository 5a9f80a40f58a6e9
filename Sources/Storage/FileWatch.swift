import Dispatch
import Foundation
import Synchronization

/// The kind of file changes that a ``FileWatch`` reports.
public enum FileEvents: Sendable {
  /// Every write, and the creation, deletion or renaming of the file.
  case all
  /// Only complete files: the file was closed after writing, moved to its path, or removed from it.
  ///
  /// While an editor saves, the file may be missing, empty or incomplete.
  case complete
}

#if os(Linux)
  /// Reports changes of a file, even if it does not exist yet.
  ///
  /// If its folder does not exist either, the watch reports that a folder above it was created,
  /// renamed or removed; the caller then has to create a new watch.
  public final class FileWatch: Sendable {
    private let id: Int
    private let inotify: Inotify

    /// The pause after a report; changes made during it are reported together when it ends.
    ///
    /// Without it, a process that writes ten thousand times a second would keep two threads busy
    /// with reports.
    static let rest = DispatchTimeInterval.milliseconds(100)

    /// Starts watching; nil where the file cannot be watched.
    ///
    /// - Parameter changed: called on `queue`: at once for the first change, then at most ten times
    ///   a second.
    public init?(
      path: String, events: FileEvents = .all, queue: DispatchQueue,
      changed: @escaping @Sendable () -> Void
    ) {
      let report = Report(to: queue, changed)
      guard let inotify = Inotify.shared, let id = inotify.add(path, events, report) else {
        return nil
      }
      (self.id, self.inotify) = (id, inotify)
    }

    deinit { inotify.remove(id) }

    /// Ends all watches, when the process is about to end; files cannot be watched after that.
    ///
    /// The kernel needs up to 20 ms to take watches down. It does so while the program saves and
    /// restores the terminal, instead of when the process has ended and its parent waits.
    public static func endAll() { Inotify.shared?.endAll() }
  }

  /// The inotify instance of all watches of the process.
  ///
  /// There is only one because the kernel waits for a grace period whenever one is closed, also
  /// when the process ends: with an instance for each of two watches, quitting took 15 ms longer.
  private final class Inotify: Sendable {
    static let shared = Inotify()

    private struct Watcher {
      /// The kernel's number of the watched folder, which several watchers may share.
      let folder: Int32
      /// The entry of the folder to wait for.
      let name: String
      let mask: UInt32
      let report: Report
    }

    private struct State {
      var watchers: [Int: Watcher] = [:]
      var lastID = 0
      var hasEnded = false
    }

    private let descriptor: Int32
    private let state = Mutex(State())
    // A dispatch source may be used from any thread, but its type does not say so.
    private nonisolated(unsafe) let source: any DispatchSourceRead

    private init?() {
      let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
      guard descriptor >= 0 else { return nil }
      self.descriptor = descriptor
      let queue = DispatchQueue(label: "file watches", qos: .utility)
      // Unsafe for the same reason as the property.
      nonisolated(unsafe) let source = DispatchSource.makeReadSource(
        fileDescriptor: descriptor, queue: queue)
      self.source = source
      source.setEventHandler { @Sendable [weak self] in
        guard let reports = self?.drain(), !reports.isEmpty else { return }
        for report in reports { report.make() }
        source.suspend()
        queue.asyncAfter(deadline: .now() + FileWatch.rest) { source.resume() }
      }
      source.activate()
    }

    /// Watches the file's folder, or the nearest existing folder above it; nil where that fails.
    func add(_ path: String, _ events: FileEvents, _ report: Report) -> Int? {
      // Under the lock, so that nobody removes the folder's watch before it has a watcher.
      state.withLock { state in
        while !state.hasEnded {
          var place = path as NSString
          while true {
            // The folder is watched, not the file: programs that save replace the file.
            let parent = place.deletingLastPathComponent
            let isFile = place as String == path
            let mask =
              switch events {
              case .complete where isFile:
                UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_DELETE | IN_MOVED_FROM)
              default: UInt32(IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_TO | IN_MOVED_FROM)
              }
            let folder = inotify_add_watch(
              descriptor, parent.isEmpty ? "." : parent, mask | UInt32(IN_MASK_ADD))
            if folder >= 0 {
              // Changes from before the watch are not reported, so check again whether the entry
              // exists now.
              if isFile || access(place as String, F_OK) != 0 {
                state.lastID += 1
                state.watchers[state.lastID] = Watcher(
                  folder: folder, name: place.lastPathComponent, mask: mask, report: report)
                return state.lastID
              }
              leave(folder, state)
              break
            }
            guard errno == ENOENT, !parent.isEmpty, parent != "/" else { return nil }
            place = parent as NSString
          }
        }
        return nil
      }
    }

    func remove(_ id: Int) {
      // Released outside the lock: its closure may hold the last reference to another watch.
      let watcher = state.withLock { state in
        let watcher = state.watchers.removeValue(forKey: id)
        if let watcher { leave(watcher.folder, state) }
        return watcher
      }
      withExtendedLifetime(watcher) {}
    }

    func endAll() {
      let watchers = state.withLock { state in
        let watchers = state.watchers.values
        (state.watchers, state.hasEnded) = ([:], true)
        return watchers
      }
      for folder in Set(watchers.map(\.folder)) { inotify_rm_watch(descriptor, folder) }
    }

    /// Stops watching a folder that no watcher needs any more.
    private func leave(_ folder: Int32, _ state: State) {
      if !state.watchers.values.contains(where: { $0.folder == folder }) {
        inotify_rm_watch(descriptor, folder)
      }
    }

    /// Reads all waiting events, and returns the reports to make of them.
    private func drain() -> [Report] {
      var concerned: [Int: Report] = [:]
      withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 8) { buffer in
        while case let count = read(descriptor, buffer.baseAddress, buffer.count), count > 0 {
          // Looked up after reading: an event may be for a watcher that was added a moment ago.
          let watchers = state.withLock(\.watchers)
          var offset = 0
          while offset < count {
            let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
            let start = offset + MemoryLayout<inotify_event>.size
            let name = buffer[start..<start + Int(event.len)].prefix { $0 != 0 }
            for (id, watcher) in watchers {
              // An event without a name means that the queue has overflowed, which concerns every
              // folder, or that the folder is gone: anything may have happened.
              let isHere = event.wd == watcher.folder || event.wd < 0
              let isMeant = event.mask & watcher.mask != 0 && name.elementsEqual(watcher.name.utf8)
              if isHere, name.isEmpty || isMeant { concerned[id] = watcher.report }
            }
            offset = start + Int(event.len)
          }
        }
      }
      return Array(concerned.values)
    }
  }

  /// Reports changes of one file, at most one at a time: changes that are noticed while a report
  /// waits for its queue are reported with it.
  private final class Report: Sendable {
    private let queue: DispatchQueue
    private let changed: @Sendable () -> Void
    private let isWaiting = Atomic(false)

    init(to queue: DispatchQueue, _ changed: @escaping @Sendable () -> Void) {
      (self.queue, self.changed) = (queue, changed)
    }

    func make() {
      guard !isWaiting.exchange(true, ordering: .relaxed) else { return }
      queue.async { [self] in
        isWaiting.store(false, ordering: .sequentiallyConsistent)
        changed()
      }
    }
  }
#else
  /// Reports changes of a file.
  ///
  /// If the file does not exist, the watch reports changes of the nearest existing folder above it;
  /// the caller then has to create a new watch.
  public final class FileWatch: Sendable {
    // A dispatch source may be used from any thread, but its type does not say so.
    private nonisolated(unsafe) let source: any DispatchSourceFileSystemObject

    /// Starts watching; nil where the file cannot be watched.
    ///
    /// - Parameter changed: called on `queue`, once for changes that arrive together.
    public init?(
      path: String, events: FileEvents = .all, queue: DispatchQueue,
      changed: @escaping @Sendable () -> Void
    ) {
      var place = path
      var descriptor = open(place, O_EVTONLY | O_CLOEXEC)
      while descriptor < 0, errno == ENOENT, place.count > 1 {
        place = (place as NSString).deletingLastPathComponent
        descriptor = open(place.isEmpty ? "." : place, O_EVTONLY | O_CLOEXEC)
      }
      guard descriptor >= 0 else { return nil }
      source = DispatchSource.makeFileSystemObjectSource(
        fileDescriptor: descriptor, eventMask: [.write, .extend, .delete, .rename], queue: queue)
      source.setEventHandler { @Sendable in changed() }
      source.setCancelHandler { @Sendable in close(descriptor) }
      source.activate()
    }

    deinit { source.cancel() }

    /// Does nothing: only Linux needs long to take watches down.
    public static func endAll() {}
  }
#endif
