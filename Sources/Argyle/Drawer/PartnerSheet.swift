import Loading
import Socks
import TerminalUI

/// A sheet with the single socks that could be the partner of one.
struct PartnerSheet: View {
  let model: DrawerModel
  let sock: Sock

  private static let width = 52
  private static let mostRows = 12

  var body: some View {
    VStack(alignment: .leading) {
      (Text("Same as “\(sock.name)”: ").foregroundStyle(\.secondary)
        + Text([sock.colour, sock.pattern].filter { !$0.isEmpty }.joined(separator: ", ")))
        .lineLimit(1)
      AsyncContentView(
        loader: model.drawer.partners(of: sock.id), id: sock.id, name: "partners of a sock"
      ) { partners in
        List(partners, submitLabel: "make them a pair", onSubmit: choose) { partner in
          HStack {
            Text(partner.name).lineLimit(1).frame(maxWidth: .infinity, alignment: .leading)
            SogginessBar(sogginess: partner.sogginess)
          }
        }
        .frame(maxHeight: min(partners.count, Self.mostRows))
      }
      .empty(when: \.isEmpty) {
        Text("No other single sock has this pattern and colour.").focusable()
      }
      .accessibilityLabel("Partners")
      .defaultFocus()
    }
    .frame(idealWidth: Self.width, maxWidth: .infinity, alignment: .leading)
  }

  private func choose(_ partner: Sock) {
    model.partnersOf = nil
    model.pair(sock, partner)
  }
}
