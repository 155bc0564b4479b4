import NIOHTTP1

/// What counts of a request.
struct ShareRequest: Equatable {
    /// GET or HEAD.
    let isReading: Bool
    let isHead: Bool
    /// As it was sent, without the query: nothing is decoded, so only the listed paths match.
    let path: String
    /// The name by which the client knows this machine, if it is a proper one.
    let host: String?
    /// Whether a browser asks, and not a program that passes the answer to a shell.
    let wantsPage: Bool
    let range: String?
    let ifRange: String?

    init(_ head: HTTPRequestHead) {
        isHead = head.method == .HEAD
        isReading = isHead || head.method == .GET
        path = Self.path(in: head.uri)
        let hosts = head.headers["host"]
        host = hosts.count == 1 && Self.isHost(hosts[0]) ? hosts[0] : nil
        let accepted = head.headers["accept"].joined(separator: ",").lowercased()
        wantsPage =
            ["text/html", "application/xhtml+xml"].contains(where: accepted.contains)
            || head.headers.first(name: "user-agent")?.hasPrefix("Mozilla/") == true
        let ranges = head.headers["range"]
        range = ranges.count == 1 ? ranges[0] : nil
        ifRange = head.headers.first(name: "if-range")
    }

    /// The target is a path, or a whole URL (RFC 9112, section 3.2.2).
    private static func path(in target: String) -> String {
        let scheme = "http://"
        let isURL = target.prefix(scheme.count).lowercased() == scheme
        let path = isURL ? target.dropFirst(scheme.count).drop { !"/?".contains($0) } : target[...]
        let plain = path.prefix { $0 != "?" && $0 != "#" }
        return plain.isEmpty && isURL ? "/" : String(plain)
    }

    /// It becomes part of a script: letters, digits and the signs of names and addresses, with a port.
    private static func isHost(_ text: String) -> Bool {
        (1...255).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: ".-:[]".utf8.contains(byte)
                }
            }
    }
}
