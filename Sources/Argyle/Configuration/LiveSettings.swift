import Foundation
import Loading
import Observation
import Storage
import TerminalUI

/// The current settings, which follow the configuration file while the program runs.
///
/// An edit of the file with a mistake changes nothing but ``failure``.
@MainActor
@Observable
final class LiveSettings {
  private(set) var current: Settings
  /// Why the last edit of the file could not be applied; nil once it is corrected.
  private(set) var failure: ConfigurationFailure?
  /// How many edits could not be applied: the next one may have the same mistake.
  private(set) var failureCount = 0
  @ObservationIgnored private let file: ConfigurationFile?
  @ObservationIgnored private let resolve: @MainActor (Configuration) -> Settings
  // Closures instead of Observation, because the observers are models and not views.
  @ObservationIgnored private var observers: [@MainActor (Settings) -> Void] = []

  /// - Parameters:
  ///   - current: the settings at first.
  ///   - file: the file to follow; nil for settings that never change.
  ///   - resolve: combines a configuration with the options and the environment that override it.
  init(
    _ current: Settings, file: ConfigurationFile? = nil,
    resolve: @escaping @MainActor (Configuration) -> Settings = {
      Settings(environment: [:], configuration: $0)
    }
  ) {
    self.current = current
    self.file = file
    self.resolve = resolve
  }

  /// Calls `apply` with the settings, now and whenever they change.
  func apply(_ apply: @escaping @MainActor (Settings) -> Void) {
    observers.append(apply)
    apply(current)
  }

  /// Applies what was read from the file, or records why it could not be read.
  func take(_ read: Result<Configuration, ConfigurationFailure>) {
    switch read {
    case .failure(let failure):
      self.failure = failure
      failureCount += 1
    case .success(let configuration):
      failure = nil
      let settings = resolve(configuration)
      guard settings != current else { return }
      current = settings
      for apply in observers { apply(settings) }
    }
  }

  /// Changes the file and applies the result.
  func edit(_ edit: ConfigurationEdit) async -> ConfigurationEdit.Outcome {
    guard let file else { return .failed("There is no configuration file to save searches in.") }
    let isChanged: Bool
    do throws(ConfigurationFailure) {
      isChanged = try await Self.edit(file, edit)
    } catch {
      return .failed("Not changed: \(error.summary)")
    }
    take(await Self.read(file))
    return isChanged ? .stored : .unnecessary
  }

  @concurrent
  private nonisolated static func edit(
    _ file: ConfigurationFile, _ edit: ConfigurationEdit
  ) async throws(ConfigurationFailure) -> Bool {
    try file.change(edit)
  }

  // Off the main actor, since the file may be on a slow network disk.
  @concurrent
  private nonisolated static func read(
    _ file: ConfigurationFile
  ) async -> Result<Configuration, ConfigurationFailure> {
    // An editor that saves may move the file away before it writes the new one.
    if file.isMissing { try? await AnyClock.terminal.sleep(for: .milliseconds(300)) }
    return Result { () throws(ConfigurationFailure) in try file.read() }
  }

  /// Reads the file whenever it is written or removed, until the task is cancelled.
  func follow() async {
    guard let file else { return }
    let (changes, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    continuation.yield()
    var watches: [FileWatch] = []
    await withTaskCancellationHandler {
      for await _ in changes {
        // Watches before the file is read, so that no change made meanwhile is missed. Repeated for
        // each change, since the folder may be a new one.
        watches = await Self.watches(of: file.path) { continuation.yield() }
        take(await Self.read(file))
      }
    } onCancel: {
      continuation.finish()
    }
    withExtendedLifetime(watches) {}
  }

  @concurrent
  private nonisolated static func watches(
    of path: String, _ changed: @escaping @Sendable () -> Void
  ) async -> [FileWatch] {
    places(of: path).compactMap {
      FileWatch(
        path: $0, events: .complete, queue: DispatchQueue(label: "configuration"), changed: changed)
    }
  }

  /// The paths to watch: the file and, where it is a symbolic link, the link's target.
  ///
  /// An editor writes to the target; a user who manages dotfiles replaces the link.
  private nonisolated static func places(of path: String) -> [String] {
    let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    return target == path ? [path] : [path, target]
  }
}
