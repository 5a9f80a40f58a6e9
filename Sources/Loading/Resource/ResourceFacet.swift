import Observation

/// The parts of a resource that are observed separately, so that a view that shows the value is
/// not drawn again for each step of a reload's progress.
///
/// A stand-in for the resource in the eyes of its registrar: a key path into a generic type is
/// made anew at every use, one into this type only once.
final class ResourceFacet: Observable, Sendable {
  static let subject = ResourceFacet()

  let content = 0
  let isLoading = 0
  let activity = 0
  let mutations = 0
  let history = 0
}
