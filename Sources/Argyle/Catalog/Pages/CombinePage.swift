import Loading
import LoadingTesting
import Observation
import TerminalUI

extension CatalogPage {
  static let combine = CatalogPage(
    "Combine", "A profile and its posts, as one value and as two parts."
  ) { runtime in
    let model = ProfileModel(runtime)
    return PageContent(
      view: { ProfileView(model: model) },
      options: [
        CatalogOption(
          "The posts", model, \.postFailures, ["fail once": 1, "load": 0, "fail always": .max])
      ],
      actions: [
        CatalogAction("Load both again") { model.load() },
        CatalogAction("Retry what failed") {
          model.whole.retry()
          model.parts.retry()
        },
        CatalogAction("Cancel") {
          model.whole.cancel()
          model.parts.cancel()
        },
        CatalogAction("Reset") { model.reset() },
      ],
      events: {
        let (profile, posts) = model.parts.parts
        return
          (PageEvent.all(of: model.whole, named: "both")
          + PageEvent.all(of: profile, named: "profile")
          + PageEvent.all(of: posts, named: "posts")).inOrder
      },
      again: {
        let (profile, posts) = model.parts.parts
        // A narrow screen shows the parts alone.
        let whole = model.whole.isShown ? CatalogAction.again(model.whole) : nil
        return .again(whole, .again(profile), .again(posts))
      }
    ) {
      """
      import Loading
      import TerminalUI

      struct ProfileView: View {
        // All or nothing:
        let both = Resource(
          .zip(Loader { _ in try await api.profile() }, Loader { _ in try await api.posts() }))
        // Whatever came, and each part with a retry of its own:
        let parts = PartialResource(
          Resource { try await api.profile() },
          Resource { try await api.posts() })

        var body: some View {
          AsyncContentView(both) { profile, posts in
            Text(profile.name).bold()
            List(posts) { Text($0.title) }
          }
          AsyncContentView(parts.parts.0) { Text($0.name).bold() }
          AsyncContentView(parts.parts.1) { List($0) { Text($0.title) } }
        }
      }
      """
    }
  }
}

/// A profile and its posts, which may fail to load.
@MainActor
@Observable
final class ProfileModel {
  struct Profile: Sendable {
    let name: String
    let about: String
  }

  struct Post: Sendable, Identifiable {
    let id: Int
    let title: String
  }

  /// How many times loading the posts fails before it succeeds.
  var postFailures = 1 { didSet { make() } }
  private(set) var whole: Resource<(Profile, [Post])>
  private(set) var parts: PartialResource<Profile, [Post]>
  @ObservationIgnored private let runtime: SceneRuntime

  init(_ runtime: SceneRuntime) {
    self.runtime = runtime
    whole = Resource()
    parts = PartialResource(Resource(), Resource())
    make()
  }

  private func make() {
    func resource<Value>(_ loader: Loader<Value>, _ name: String) -> Resource<Value> {
      Resource(
        loader, name: name, historyCapacity: 64, clock: runtime.clock, scheduler: runtime.scheduler)
    }
    whole = resource(.zip(profile, posts), "profile and posts")
    parts = PartialResource(resource(profile, "profile"), resource(posts, "posts"))
  }

  func load() {
    whole.load()
    parts.load()
  }

  func reset() {
    whole.reset()
    parts.parts.0.reset()
    parts.parts.1.reset()
  }

  private var profile: Loader<Profile> {
    .scripted([
      .at(
        .milliseconds(600),
        .loaded(
          Profile(name: "Maud Lindqvist", about: "Keeps a drawer of socks and a list of them.")))
    ])
    .under(runtime.faults)
  }

  private var posts: Loader<[Post]> {
    let failure = DescribedError(
      "The posts could not be loaded.", advice: "Try again: the second attempt succeeds.")
    let failing = [ScriptedState<[Post]>.at(.milliseconds(1400), .failed(failure))]
    let loading = [ScriptedState<[Post]>.at(.milliseconds(900), .loaded(Post.all))]
    let loader: Loader<[Post]> =
      switch postFailures {
      case 0: .scripted(loading)
      case 1: .scripted(inTurn: [failing, loading])
      default: .scripted(failing)
      }
    return loader.under(runtime.faults)
  }
}

private struct ProfileView: View {
  let model: ProfileModel

  private static let widthForBoth = 44

  var body: some View {
    GeometryReader { size in
      HStack(alignment: .top) {
        VStack(alignment: .leading) {
          Text("zip: all or nothing").foregroundStyle(\.secondary).lineLimit(1)
          AsyncContentView(model.whole) { profile, posts in
            VStack(alignment: .leading) {
              ProfileHead(profile: profile)
              PostsView(posts: posts)
            }
          }
          .placeholder((.sample, ProfileModel.Post.samples))
        }
        .padding(.horizontal)
        .focusSection("All or nothing")
        .collapsed(size.width < Self.widthForBoth)
        VStack(alignment: .leading) {
          Text("PartialResource: whatever loaded").foregroundStyle(\.secondary).lineLimit(1)
            .padding(.horizontal)
          PartsView(parts: model.parts)
        }
        .focusSection("Whatever loaded")
      }
    }
  }
}

/// Each part with its own states.
private struct PartsView: View {
  let parts: PartialResource<ProfileModel.Profile, [ProfileModel.Post]>

  var body: some View {
    let (profile, posts) = parts.parts
    VStack(alignment: .leading) {
      AsyncContentView(profile) { ProfileHead(profile: $0) }
        .placeholder(.sample)
        .frame(height: 3, alignment: .topLeading)
      AsyncContentView(posts) { PostsView(posts: $0) }
        .placeholder(ProfileModel.Post.samples)
    }
    .padding(.horizontal)
  }
}

private struct ProfileHead: View {
  let profile: ProfileModel.Profile

  var body: some View {
    VStack(alignment: .leading) {
      Text(profile.name).bold().foregroundStyle(\.accent)
      Text(profile.about).foregroundStyle(\.secondary).lineLimit(1)
    }
    .padding(.bottom)
    .frame(maxWidth: .infinity, alignment: .leading)
  }
}

private struct PostsView: View {
  let posts: [ProfileModel.Post]

  var body: some View {
    List(posts) { Text("• \($0.title)").lineLimit(1) }
  }
}

extension ProfileModel.Profile {
  fileprivate static let sample = Self(name: "Somebody Else", about: "Does this and that, mostly.")
}

extension ProfileModel.Post {
  fileprivate static let all = titled([
    "A taxonomy of odd socks", "Wool remembers", "Darning, an apology", "The left one",
    "What the dryer keeps",
  ])
  fileprivate static let samples = titled(["A post about that", "Another one", "And a third post"])

  private static func titled(_ titles: [String]) -> [Self] {
    titles.enumerated().map { Self(id: $0.offset, title: $0.element) }
  }
}
