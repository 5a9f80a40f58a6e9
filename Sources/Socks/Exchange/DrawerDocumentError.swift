import Foundation
public import UserErrors

/// Why a document of socks cannot be imported; in that case no part of it is imported.
public enum DrawerDocumentError: Error, Hashable, Sendable {
  /// What is wrong with a member of an entry.
  public enum Problem: Hashable, Sendable {
    case missing
    case unknown
    /// The value has the wrong type; `expected` is such as "a whole number".
    case wrongType(expected: String)
    /// The text cannot be parsed.
    case unreadable(expected: String)
    /// The value is not allowed, for this reason.
    case refused(String)
    /// An earlier entry has the same value.
    case repeated(first: Int)
    case pairedWithItself
    /// The other entry is paired with a different sock.
    case notMutual(other: Int)
    /// The sock is neither in the document nor in the drawer.
    case noSuchSock
  }

  /// The document is not JSON; with the parser's message.
  case notJSON(reason: String)
  /// The document is JSON, but not an array of objects.
  case notAnArray
  /// Entries are counted from 1; without a key the error concerns the whole entry.
  case entry(Int, key: String?, Problem)

  struct UnknownKey: Error {
    let path: [any CodingKey]
  }

  init(_ error: any Error) {
    switch error {
    case let error as UnknownKey: self = Self.at(error.path, .unknown)
    case DecodingError.keyNotFound(let key, let context):
      self = Self.at(context.codingPath + [key], .missing)
    case DecodingError.valueNotFound(let type, let context):
      self = Self.at(context.codingPath, .wrongType(expected: Self.words(for: type)))
    case DecodingError.typeMismatch(let type, let context):
      self = Self.at(context.codingPath, .wrongType(expected: Self.words(for: type)))
    case DecodingError.dataCorrupted(let context):
      if context.codingPath.isEmpty {
        self = .notJSON(reason: Self.reason(context))
      } else {
        self = Self.at(context.codingPath, .unreadable(expected: Self.words(for: context)))
      }
    default: self = .notJSON(reason: String(describing: error))
    }
  }

  private static func at(_ path: [any CodingKey], _ problem: Problem) -> DrawerDocumentError {
    guard let index = path.first?.intValue else { return .notAnArray }
    let key = path.dropFirst().first?.stringValue
    return .entry(index + 1, key: key, problem)
  }

  private static func reason(_ context: DecodingError.Context) -> String {
    guard let error = context.underlyingError as NSError? else { return context.debugDescription }
    return error.userInfo[NSDebugDescriptionErrorKey] as? String ?? context.debugDescription
  }

  private static func words(for type: Any.Type) -> String {
    switch type {
    case is Double.Type: "a whole number"
    case is String.Type: "a text"
    case is UUID.Type: "an id"
    default: "an object"
    }
  }

  private static func words(for context: DecodingError.Context) -> String {
    switch context.codingPath.last?.stringValue {
    case "id", "pair": "an id"
    case "created", "changed": "a date as in 2026-11-21T19:05:33Z"
    case "picture": "the address of a picture"
    case "sogginess": "a whole number"
    default: "a text"
    }
  }
}

/// The messages shown to the user.
extension DrawerDocumentError: ExplainedError {
  /// What happened, in one sentence.
  public var what: String {
    switch self {
    case .notJSON: "This is not JSON."
    case .notAnArray: "This is JSON, but not an array of socks."
    case .entry(let number, let key, let problem):
      "Entry \(number)\(key.map { ", “\(Self.shortened($0))”" } ?? ""): \(problem.words)."
    }
  }

  /// What the user can do about it, in one sentence.
  public var advice: String {
    "Correct the file and import it again. Nothing was changed."
  }

  /// Technical details; they may come from outside.
  public var detail: String? {
    if case .notJSON(let reason) = self { reason } else { nil }
  }

  private static func shortened(_ key: String) -> String {
    let scalars = key.unicodeScalars.filter {
      !$0.isControl && $0.properties.generalCategory != .format
    }
    let text = String(String.UnicodeScalarView(scalars.prefix(40)))
    return scalars.count > 40 ? text + "…" : text
  }
}

extension DrawerDocumentError.Problem {
  fileprivate var words: String {
    switch self {
    case .missing: "it is missing"
    case .unknown: "socks have no such field"
    case .wrongType(let expected): "it must be \(expected)"
    case .unreadable(let expected): "it must be \(expected)"
    case .refused(let reason): reason.hasSuffix(".") ? String(reason.dropLast()) : reason
    case .repeated(let first): "it is the same as in entry \(first)"
    case .pairedWithItself: "a sock cannot be paired with itself"
    case .notMutual(let other): "entry \(other) is not paired with it"
    case .noSuchSock: "this sock is neither here nor in the drawer"
    }
  }
}
