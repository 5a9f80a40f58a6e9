/// Who named the address of a request, which decides where the request may lead.
///
/// Without it, an article from the public network could make this program fetch from the router or
/// from services of this machine, which nobody outside can reach.
public enum RequestOrigin: Sendable, Hashable {
  /// The user, who may name this machine and the network around it.
  case user

  /// Content from the public network: it may reach no private address.
  case publicContent

  /// Content from a host of the private network: it may reach the public network and that host
  /// alone.
  case privateContent(host: String)
}
