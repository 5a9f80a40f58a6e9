/// Numbers links in order of appearance; equal addresses get the same number.
struct LinkNumbers {
  private(set) var all: [Link] = []
  private var numbers: [String: Int] = [:]

  mutating func number(of address: String) -> Int {
    if let number = numbers[address] { return number }
    let number = all.count + 1
    numbers[address] = number
    all.append(Link(number: number, address: address))
    return number
  }
}
