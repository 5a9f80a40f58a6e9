extension Slider {
  /// A slider over whole numbers, which the arrow keys move by `step`, a twentieth of the range
  /// unless told otherwise.
  public init(
    _ title: String, value: Binding<Int>, in bounds: ClosedRange<Int>, step: Int? = nil
  ) {
    self.init(
      title,
      value: Binding(
        get: { Double(value.wrappedValue) },
        modify: { change in
          value.update { number in
            var exact = Double(number)
            change(&exact)
            number = Int(exact.rounded())
          }
        }), in: Double(bounds.lowerBound)...Double(bounds.upperBound),
      step: step.map(Double.init))
  }
}
