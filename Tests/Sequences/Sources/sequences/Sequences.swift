import Foundation

/// Runs random sequences, `sequences FIRST COUNT STEPS`, and says what differs.
@main
struct Sequences {
  @MainActor
  static func main() {
    let numbers = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
    guard numbers.count == 3 else { fatalError("Write: sequences FIRST COUNT STEPS") }
    var differ = 0
    for seed in numbers[0]..<(numbers[0] + numbers[1]) {
      guard let difference = FrameSequence.firstDifference(seed: seed, steps: Int(numbers[2]))
      else { continue }
      print(difference)
      differ += 1
    }
    exit(differ == 0 ? 0 : 1)
  }
}
