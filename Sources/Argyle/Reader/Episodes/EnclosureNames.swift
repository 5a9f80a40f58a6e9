import Articles
import Foundation

extension [Attachment] {
  /// The name of each file by its address: as short as tells it from the other files.
  ///
  /// Files of one name have their folders before it, or their addresses if that is not enough.
  var names: [String: String] {
    var names: [String: String] = [:]
    for (name, files) in Dictionary(grouping: self, by: \.fileName) {
      let longer = files.map(\.nameInFolder)
      let isEnough = Set(longer).count == files.count
      for (file, longer) in zip(files, longer) {
        names[file.address] = files.count == 1 ? name : isEnough ? longer : file.address
      }
    }
    return names
  }
}

extension Attachment {
  /// The last two parts of the address' path, or the server and the name of a file in no folder.
  fileprivate var nameInFolder: String {
    let path = address.prefix { $0 != "?" && $0 != "#" }
    return path.split(separator: "/").suffix(2)
      .map { $0.removingPercentEncoding ?? String($0) }.joined(separator: "/")
  }
}
