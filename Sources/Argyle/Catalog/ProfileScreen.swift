import Loading
import LoadingTesting
import TerminalUI

/// A profile and its posts, which fail to load the first time: loaded as one value, and as two parts
/// with a state each.
struct ProfileScreen: View {
  struct Profile: Sendable {
    let name: String
    let about: String
  }

  struct Post: Sendable, Identifiable {
    let id: Int
    let title: String
  }

  private let whole: Resource<(Profile, [Post])>
  private let parts: PartialResource<Profile, [Post]>

  init(_ runtime: SceneRuntime) {
    whole = Resource(
      .zip(Self.profile, Self.posts()), name: "profile and posts", clock: runtime.clock,
      scheduler: runtime.scheduler)
    parts = zipPartial(
      Resource(Self.profile, name: "profile", clock: runtime.clock, scheduler: runtime.scheduler),
      Resource(Self.posts(), name: "posts", clock: runtime.clock, scheduler: runtime.scheduler))
  }

  private static let widthForBoth = 56

  var body: some View {
    GeometryReader { size in
      HStack(alignment: .top) {
        AsyncContentView(whole) { profile, posts in
          VStack(alignment: .leading) {
            ProfileView(profile: profile)
            PostsView(posts: posts)
          }
        }
        .placeholder((.sample, Post.samples))
        .padding(.horizontal)
        .pane("zip: all or nothing")
        .collapsed(size.width < Self.widthForBoth)
        PartsView(parts: parts)
          .pane("zipPartial: whatever loaded")
      }
    }
  }

  private static let profile = Loader.scripted([
    .at(
      .milliseconds(600),
      .loaded(
        Profile(name: "Maud Lindqvist", about: "Keeps a drawer of socks and a list of them.")))
  ])

  /// Fails the first time.
  private static func posts() -> Loader<[Post]> {
    let failure = DescribedError(
      "The posts could not be loaded.", advice: "Try again: the second attempt succeeds.")
    return .scripted(inTurn: [
      [.at(.milliseconds(1400), .failed(failure))],
      [.at(.milliseconds(900), .loaded(Post.all))],
    ])
  }
}

/// Each part with its own states.
private struct PartsView: View {
  let parts: PartialResource<ProfileScreen.Profile, [ProfileScreen.Post]>

  var body: some View {
    let (profile, posts) = parts.parts
    VStack(alignment: .leading) {
      AsyncContentView(profile) { ProfileView(profile: $0) }
        .placeholder(.sample)
        .frame(height: 3, alignment: .topLeading)
      AsyncContentView(posts) { PostsView(posts: $0) }
        .placeholder(ProfileScreen.Post.samples)
    }
    .padding(.horizontal)
  }
}

private struct ProfileView: View {
  let profile: ProfileScreen.Profile

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
  let posts: [ProfileScreen.Post]

  var body: some View {
    List(posts) { Text("• \($0.title)").lineLimit(1) }
  }
}

extension ProfileScreen.Profile {
  fileprivate static let sample = Self(name: "Somebody Else", about: "Does this and that, mostly.")
}

extension ProfileScreen.Post {
  fileprivate static let all = titled([
    "A taxonomy of odd socks", "Wool remembers", "Darning, an apology", "The left one",
    "What the dryer keeps",
  ])
  fileprivate static let samples = titled(["A post about that", "Another one", "And a third post"])

  private static func titled(_ titles: [String]) -> [Self] {
    titles.enumerated().map { Self(id: $0.offset, title: $0.element) }
  }
}
