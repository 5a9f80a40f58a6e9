import Foundation

/// Addresses of files on this machine, as RFC 8089 has them.
public enum FileAddress {
  /// The address of an absolute path.
  static func text(_ path: String) -> String {
    var output = Array("file://".utf8)
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"),
        UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
        output.append(byte)
      default:
        let digits = Array("0123456789ABCDEF".utf8)
        output += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// The path that an address means; nil when it is none of a file on this machine.
  public static func path(_ address: String) -> String? {
    let parts = WebAddress.Parts(address)
    guard parts.scheme == "file", parts.authority == "" || parts.authority == "localhost" else {
      return nil
    }
    // A zero byte would end the path somewhere else than the text does.
    return String(parts.path).removingPercentEncoding.flatMap { $0.contains("\0") ? nil : $0 }
  }
}
