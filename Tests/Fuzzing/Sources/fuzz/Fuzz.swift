import CFuzzer
import Foundation

/// Runs one target: `fuzz TARGET [libFuzzer's options and corpora]`.
@main
enum Fuzz {
  static func main() {
    let targets: [String: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32] = [
      "episodes": { fuzzEpisodes(Array(UnsafeBufferPointer(start: $0, count: $1))) },
      "feeds": { fuzzFeeds(Array(UnsafeBufferPointer(start: $0, count: $1))) },
      "pages": { fuzzPages(Array(UnsafeBufferPointer(start: $0, count: $1))) },
      "html": { fuzzHTML(Array(UnsafeBufferPointer(start: $0, count: $1))) },
      "config": { fuzzConfiguration(Array(UnsafeBufferPointer(start: $0, count: $1))) },
      "keys": { fuzzKeys(Array(UnsafeBufferPointer(start: $0, count: $1))) },
      "opml": { fuzzOPML(Array(UnsafeBufferPointer(start: $0, count: $1))) },
      "sync": { fuzzSync(Array(UnsafeBufferPointer(start: $0, count: $1))) },
      "markdown": { fuzzMarkdown(Array(UnsafeBufferPointer(start: $0, count: $1))) },
    ]
    guard CommandLine.arguments.count > 1, let target = targets[CommandLine.arguments[1]] else {
      print("usage: fuzz \(targets.keys.sorted().joined(separator: "|")) [options] [corpus]")
      exit(2)
    }
    // The target's name is not for libFuzzer.
    var arguments = CommandLine.arguments.enumerated().filter { $0.offset != 1 }.map {
      strdup($0.element)
    }
    var count = Int32(arguments.count)
    arguments.append(nil)
    exit(
      arguments.withUnsafeMutableBufferPointer { arguments in
        guard var start = arguments.baseAddress else { return 2 }
        return LLVMFuzzerRunDriver(&count, &start, target)
      })
  }
}
