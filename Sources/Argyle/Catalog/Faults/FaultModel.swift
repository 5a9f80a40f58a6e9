import Loading
import Observation
import TerminalUI

/// The faults as the user chooses them on the screen.
@MainActor
@Observable
final class FaultModel {
  var settings: Faults.Settings {
    didSet { faults.settings = settings }
  }
  @ObservationIgnored private let faults: Faults

  init(_ faults: Faults) {
    self.faults = faults
    settings = faults.settings
  }

  var options: [CatalogOption] {
    [
      CatalogOption(
        "Latency", self, \.settings.latency,
        [
          "none": .zero, "0.5 s more": .milliseconds(500), "2 s more": .seconds(2),
          "10 s more": .seconds(10),
        ]),
      CatalogOption(
        "Loads that fail", self, \.settings.failureShare,
        ["none": 0, "1 in 4": 25, "1 in 2": 50, "all": 100]),
      CatalogOption("They fail with", self, \.settings.failure),
      CatalogOption("Hold loads", self, isOn: \.settings.isHolding),
      CatalogOption("Seed", self, \.settings.seed, ["1": 1, "2": 2, "3": 3, "4": 4, "5": 5]),
    ]
  }

  var actions: [CatalogAction] {
    settings.isHolding ? [CatalogAction("Let one load go") { [faults] in faults.step() }] : []
  }
}

/// A sheet in which the user chooses the faults of scripted loads.
struct FaultSheet: View {
  let model: FaultModel

  private static let width = 42

  var body: some View {
    let options = model.options + model.actions.map(CatalogOption.init)
    CatalogOptionList(options: options)
      .frame(idealWidth: Self.width, maxWidth: .infinity, maxHeight: options.count)
      .defaultFocus()
  }
}
