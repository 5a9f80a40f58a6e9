/// Runs random sequences, `sequences FIRST COUNT STEPS`, and says what differs.
@main
struct Sequences {
  @MainActor
  static func main() {
    let numbers = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
    guard numbers.count == 3 else { fatalError("Write: sequences FIRST COUNT STEPS") }
    let seeds = numbers[0]..<(numbers[0] + numbers[1])
    let differences = seeds.compactMap {
      FrameSequence.firstDifference(seed: $0, steps: Int(numbers[2]))
    }
    for difference in differences { print(difference) }
    precondition(differences.isEmpty, "\(differences.count) of \(seeds) differ")
  }
}
