/// TCP connections that a host of a lab begins, as its kernel sees them go out: a connection is a port of its own, however often its
/// first packet has to be sent.
struct DialCount {
    static let isPossible = Lab.isPossible && Lab.has("nft")

    private static let rules = """
        table inet dials {
            set ports { type inet_service; size 65535; flags dynamic; }
            chain out {
                type filter hook output priority 0
                oifname != "lo" tcp flags & (syn | ack) == syn add @ports { tcp sport }
            }
        }
        """

    private let host: String
    private let lab: Lab

    /// Counts from now on.
    init(_ host: String, of lab: Lab) async throws {
        (self.host, self.lab) = (host, lab)
        try await lab.run(host, "nft", Self.rules)
    }

    func now() async throws -> Int {
        let table = try await lab.answer(of: host, "nft", "-n", "list", "set", "inet", "dials", "ports")
        guard let elements = table.firstMatch(of: /elements = \{([^}]*)\}/) else { return 0 }
        return elements.1.split(separator: ",").count
    }
}
