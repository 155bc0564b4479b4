import Foundation

/// What `lattice doctor --json` found.
struct Examined: Decodable, Sendable {
    struct Finding: Decodable, Sendable {
        let code: String
        let severity: String
        let message: String
        let remedy: String?
    }

    struct Check: Decodable, Sendable {
        let check: String
        let state: String
    }

    let verdict: String
    let message: String
    let findings: [Finding]
    let checks: [Check]

    /// What is in the way, the most likely cause first.
    var causes: [String] { findings.filter { $0.severity != "notes" }.map(\.code) }

    var codes: [String] { findings.map(\.code) }

    func state(of check: String) -> String? { checks.first { $0.check == check }?.state }
}

extension Stage {
    /// Does it again, a few times, where others were not heard in time: a busy machine is slow to answer.
    func examine(
        _ name: String, on host: String, _ arguments: [String] = [], until causes: [String]
    ) async throws -> Examined {
        var found = try await examine(name, on: host, arguments)
        for _ in 0..<5 where Set(found.causes) != Set(causes) { found = try await examine(name, on: host, arguments) }
        return found
    }

    /// Runs `lattice doctor` on a host, and checks that its code says what its verdict does.
    func examine(
        _ name: String, on host: String, _ arguments: [String] = [], seconds: Int = 2, home: String? = nil,
        under wrapper: [String] = []
    ) async throws -> Examined {
        let doctor = try run(
            ["doctor", "--name", name, "--json", "--seconds", "\(seconds)"] + arguments, as: "doctor", on: host,
            home: home, under: wrapper)
        let code = try await doctor.exitCode()
        let found = try JSONDecoder().decode(Examined.self, from: Data(doctor.output.text.utf8))
        guard code == ["well": 0, "hindered": 1, "alone": 69][found.verdict] else {
            throw Child.Fault(description: "code \(code) of the verdict \(found.verdict)")
        }
        return found
    }
}

extension Lab {
    /// Adds one rule to the firewall of a host.
    ///
    /// - Parameters:
    ///   - hook: `input` or `output`.
    ///   - rule: as nft(8) has it.
    func filter(_ host: String, _ hook: String, _ rule: String) async throws {
        try await run(host, "nft", "add table inet doctor")
        try await run(host, "nft", "add chain inet doctor \(hook) { type filter hook \(hook) priority 0; }")
        try await run(host, "nft", "add rule inet doctor \(hook) \(rule)")
    }

    /// What is said to all reaches a host, and nothing that is said to it alone, nor the question who has its address.
    func keepApart(_ host: String) async throws {
        try await run(host, "nft", "add table netdev doctor")
        try await run(
            host, "nft", "add chain netdev doctor in { type filter hook ingress device \"eth0\" priority 0; }")
        for rule in [
            "ether type arp drop", "icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert } drop",
            "ether daddr & 01:00:00:00:00:00 == 00:00:00:00:00:00 drop",
        ] {
            try await run(host, "nft", "add rule netdev doctor in \(rule)")
        }
    }
}
