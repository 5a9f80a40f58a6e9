import Articles

/// An error that brings its own words for a person.
struct DescribedError: Error {
  let message: PersonMessage

  init(_ what: String, advice: String, detail: String? = nil) {
    message = PersonMessage(what: what, advice: advice, detail: detail)
  }
}
