/// Who named the address of a request, which decides where the request may lead.
///
/// Without it, an article of the public network could have this program fetch from the router or
/// from the services of this machine, which nobody outside can reach.
public enum RequestOrigin: Sendable, Hashable {
  /// The user, who may mean this machine and the network around it.
  case user

  /// Something that came from the public network: nothing private is reached for it.
  case publicContent

  /// Something that came from a host of the private network: of that network it reaches that host
  /// alone.
  case privateContent(host: String)
}
