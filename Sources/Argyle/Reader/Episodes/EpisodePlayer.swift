import Articles
import Foundation
import Loading
import TerminalUI

extension ReaderModel {
  /// Plays the download of an article.
  ///
  /// - Parameter start: the start in seconds; nil for where the player stopped.
  func play(_ article: Article, at start: Int? = nil, _ terminal: TerminalHandle?) {
    guard let download = downloads.download(of: article) else {
      // While the text is still being loaded, it is not known.
      let isLoaded = documents[article.id].latestValue != nil
      guard !isLoaded || !extras(of: article).enclosures.isEmpty else {
        return say("Nothing is enclosed with this article.")
      }
      return say("Not downloaded yet.", Notice.Hint(action: .download, words: "to download it."))
    }
    play(download, at: start, terminal)
  }

  /// Plays a file with the player of the configuration file.
  func play(_ download: Download, at start: Int? = nil, _ terminal: TerminalHandle?) {
    guard download.path != nil else { return say(Self.notDownloaded) }
    let podcasts = programSettings.configuration.podcasts
    guard let command = OutsideCommand.player(podcasts.player) else {
      return say("No player is set. Set podcasts.player in the configuration file.")
    }
    program { [self] in
      // As it is now: another program may have played or removed it.
      downloads.stored.load(.restart, cause: .user)
      let known = await downloads.stored.settled().value?.first { $0.id == download.id }
      guard let download = known else {
        let failure = downloads.stored.failure
        return say(failure.map { UserMessage($0.error).what } ?? "The download was removed.")
      }
      if case .failed(let message) = download.state {
        return say(message.what, Notice.Hint(action: .download, words: "to download it again."))
      }
      guard download.path != nil else { return say(Self.notDownloaded) }
      do {
        guard command.canBegin(download, at: start) else {
          return say("The player is told no time. Put {position} into podcasts.player.")
        }
        let arguments = try await command.arguments(
          playing: download, at: start, positionsFolder: downloads.source.positionsFolder)
        let outcome = await whilePlaying(download) { problem in
          guard podcasts.isPlayerInTerminal, let terminal else {
            say(problem ?? "Playing “\(shortTitle(download.title))”.")
            return await command.run(arguments, reading: nil)
          }
          notice.set(.loaded(nil))
          let outcome = await terminal.lend {
            await command.run(arguments, reading: nil, hasTerminal: true)
          }
          if let problem { say(problem) }
          return outcome
        }
        if let words = outcome?.words(command.program) { say(words) }
      } catch let failure as OutsideCommand.Failure {
        say(failure.words)
      } catch {
        say(UserMessage(error).what)
      }
    }
  }

  /// Runs a player; the download counts as played from its start, unless it soon fails.
  ///
  /// - Parameter run: runs the player, with a message if the mark could not be stored; returns nil
  ///   if it was not run.
  func whilePlaying(
    _ download: Download, _ run: (_ problem: String?) async -> ProgramOutcome?
  ) async -> ProgramOutcome? {
    var (date, problem): (Date?, String?)
    do { date = try await downloads.source.notePlaying(download.id) } catch {
      problem = UserMessage(error).what
    }
    // After playing, the position counts, so an earlier mark can no longer be undone.
    downloads.undoable.removeAll { $0.kind == .marked && $0.download.id == download.id }
    downloads.stored.load(.restart, cause: .refresh)
    let outcome = await run(problem)
    if outcome?.failedSoon != false, let date {
      do { try await downloads.source.takeBackPlaying(download, date) } catch {
        say(UserMessage(error).what)
      }
    }
    // The player may have stored its position.
    downloads.stored.load(.restart, cause: .user)
    return outcome
  }
}

extension OutsideCommand {
  /// Returns the command of the player.
  ///
  /// The file's path is added as the last argument if no argument contains it; nil if no player is
  /// set.
  static func player(_ words: [String]) -> OutsideCommand? {
    guard let program = words.first, !program.isEmpty else { return nil }
    let command = OutsideCommand(program, Array(words.dropFirst()))
    return command.has(.file)
      ? command : OutsideCommand(program, words.dropFirst() + ["{file}"])
  }

  /// Returns the arguments for a download.
  ///
  /// - Parameters:
  ///   - start: the start in seconds; nil for where the player stopped.
  ///   - values: the values of placeholders that are not about the download.
  ///   - positionsFolder: makes the folder in which the player stores its position.
  func arguments(
    playing download: Download, at start: Int? = nil, _ values: [Placeholder: String] = [:],
    positionsFolder: (Download.ID, Int?) async throws -> String
  ) async throws -> [String] {
    var values = values
    values[.file] = download.path
    values[.position] = "\(start ?? download.position ?? 0)"
    if has(.positions) { values[.positions] = try await positionsFolder(download.id, start) }
    return try arguments(values)
  }

  /// Whether the player can start there: because an argument tells it, or because it reads the
  /// position that it stored.
  func canBegin(_ download: Download, at start: Int?) -> Bool {
    start == nil || has(.position) || has(.positions) && download.position != nil
  }
}
