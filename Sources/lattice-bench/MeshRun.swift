import Foundation

/// One round of the benchmark: two peers, three in a chain, and one with eight readers.
struct MeshRun {
    private let plan: MeshBench
    private let limits: MeshLimits
    private let folder: URL?
    private let round: Int

    init(plan: MeshBench, limits: MeshLimits, folder: URL?, _ round: Int) {
        (self.plan, self.limits, self.folder, self.round) = (plan, limits, folder, round)
    }

    func pair(_ tally: inout Tally) throws {
        try withPeers("pair", open: [true, false]) { peers in
            let (host, guest) = (peers[0], peers[1])
            let limit = Sample(try MeshLimits.handshakes(200)).median / 1e3
            let dials = try guest.ask("dial \(host.address) \(MeshBench.dials)", "dialled")
            tally.add(cost: "static_connect_ms", Sample(dials).median / 1e3, limit: limit)
            try guest.ask("connect \(host.address)", "linked")
            try listen(peers)
            try trips(from: guest, to: host, relays: 0, prefix: "", &tally)
            let rate = try stream(from: guest, to: [host], among: peers, relays: 0, prefix: "", &tally)
            try halfLoad(from: guest, to: host, rate: Int(rate / 2), &tally)
        }
    }

    /// Time from the start of a node without any address to its first neighbour, which runs already.
    func discovery(_ tally: inout Tally) throws {
        try withPeers("found", open: [true, false], areFound: true) { peers in
            // The limit is the handshake alone: finding a peer takes no time if it is known already.
            let limit = Sample(try MeshLimits.handshakes(200))
            let taken = Sample(try peers[1].ask("discover \(MeshBench.discoveries)", "discovered"))
            tally.add(cost: "discover_connect_ms", taken.median / 1e3, limit: limit.median / 1e3)
            tally.add(cost: "discover_connect_p99_ms", taken.percentile(99) / 1e3, limit: limit.percentile(99) / 1e3)
        }
    }

    func chain(_ tally: inout Tally) throws {
        try withPeers("chain", open: [false, true, false]) { peers in
            let (first, middle, last) = (peers[0], peers[1], peers[2])
            try first.ask("connect \(middle.address)", "linked")
            try last.ask("connect \(middle.address)", "linked")
            try listen([first, last])
            try trips(from: first, to: last, relays: 1, prefix: "chain_", &tally)
            try stream(from: first, to: [last], among: peers, relays: 1, prefix: "chain_", &tally)
        }
    }

    func fanOut(_ tally: inout Tally) throws {
        let readers = MeshBench.readers
        try withPeers("fan", open: [true] + Array(repeating: false, count: readers)) { peers in
            for reader in peers.dropFirst() { try reader.ask("connect \(peers[0].address)", "linked") }
            try add(memory: "rss8_kb", of: peers[0], &tally)
            try listen(peers)
            let count = plan.count / 4
            let inC = try limits.fanOut(count, readers: readers, isSigned: isSigned)
            var limit = inC
            if isSigned {
                let alone = try limits.signatures()
                limit = Double(readers) * 1e6 / (alone.sign + Double(readers) * alone.verify)
                tally.add("c_fan8_deliveries_per_s", inC)
            }
            let taken = try told(count, from: peers[0], to: Array(peers.dropFirst()))
            tally.add(rate: "fan8_deliveries_per_s", Double(count * readers) / taken, limit: limit)
            try add(memory: "rss8_loaded_kb", of: peers[0], &tally)
        }
    }

    private var isSigned: Bool { plan.mode == .signed }

    private func add(memory name: String, of peer: MeshPeerProcess, _ tally: inout Tally) throws {
        try tally.add(memory: name, Double(try peer.cost.memory().resident), beside: limits.empty)
    }

    /// In signed mode the limit is the time of the signatures alone, reported beside C that also sends the messages. In
    /// raw mode it is C that seals and sends each message.
    private func trips(
        from near: MeshPeerProcess, to far: MeshPeerProcess, relays: Int, prefix: String, _ tally: inout Tally
    ) throws {
        let inC = try limits.roundTrips(plan.pings, isSigned: isSigned, relays: relays)
        var limit = inC.median
        if isSigned {
            let alone = try limits.signatures()
            limit = 2 * (alone.sign + Double(relays + 1) * alone.verify)
            tally.add("c_\(prefix)rtt_p50_us", inC.median)
        }
        try far.tell("echo \(plan.pings)")
        let taken = Sample(try near.ask("ping \(plan.pings) \(far.id)", "pinged"))
        try far.answer("echoed")
        tally.add(cost: "\(prefix)rtt_p50_us", taken.median, limit: limit)
        // For percentiles C is the limit in both modes: the time of signatures alone has no tail.
        tally.add(cost: "\(prefix)rtt_p99_us", taken.percentile(99), limit: inC.percentile(99))
    }

    @discardableResult
    private func stream(
        from near: MeshPeerProcess, to far: [MeshPeerProcess], among peers: [MeshPeerProcess], relays: Int,
        prefix: String, _ tally: inout Tally
    ) throws -> Double {
        let inC = try limits.stream(plan.count, isSigned: isSigned, relays: relays)
        var (limit, least) = (inC.rate, inC.processor)
        if isSigned {
            let alone = try limits.signatures()
            least = alone.sign + Double(relays + 1) * alone.verify
            limit = 1e6 / least
            tally.add("c_\(prefix)msgs_per_s", inC.rate)
        } else {
            let many = try limits.stream(plan.count, isSigned: false, relays: relays, perRecord: 64)
            tally.add("limit64_\(prefix)msgs_per_s", many.rate)
        }
        let before = peers.reduce(0) { $0 + $1.cost.processorSeconds() }
        let rate = Double(plan.count) / (try told(plan.count, from: near, to: far))
        let used = peers.reduce(0) { $0 + $1.cost.processorSeconds() } - before
        tally.add(rate: "\(prefix)msgs_per_s", rate, limit: limit)
        tally.add(cost: "\(prefix)cpu_us_per_msg", used * 1e6 / Double(plan.count), limit: least)
        return rate
    }

    /// Messages for two seconds, and C at the same rate.
    private func halfLoad(
        from near: MeshPeerProcess, to far: MeshPeerProcess, rate: Int, _ tally: inout Tally
    ) throws {
        let inC = try limits.paced(2 * rate, rate: rate, isSigned: isSigned)
        try far.tell("hear \(2 * rate)")
        try near.ask("pace \(2 * rate) \(rate) \(far.id)", "paced")
        let heard = try far.numbers("heard")
        tally.add(cost: "half_load_p50_ms", heard[1] / 1e3, limit: inC.median / 1e3)
        tally.add(cost: "half_load_p99_ms", heard[2] / 1e3, limit: inC.percentile(99) / 1e3)
    }

    /// - Returns: seconds from the first message sent to the last one heard by anybody.
    private func told(_ count: Int, from near: MeshPeerProcess, to far: [MeshPeerProcess]) throws -> Double {
        for reader in far { try reader.tell("hear \(count)") }
        try near.tell("send \(count) \(far.map(\.id).joined(separator: " "))")
        let ends = try far.map { try $0.numbers("heard")[0] }
        let start = try near.numbers("sent")[0]
        return ((ends.max() ?? start) - start) / 1e9
    }

    private func listen(_ peers: [MeshPeerProcess]) throws {
        for peer in peers { try peer.ask("listen", "listening") }
    }

    private func withPeers(
        _ name: String, open: [Bool], areFound: Bool = false, _ work: ([MeshPeerProcess]) throws -> Void
    ) throws {
        var peers: [MeshPeerProcess] = []
        defer { for peer in peers.reversed() { peer.end() } }
        for (index, isOpen) in open.enumerated() {
            var arguments = [plan.mode.rawValue, "\(plan.bytes)"]
            if let folder { arguments.append(folder.appending(path: "\(name)-\(round)-\(index).sqlite").path) }
            if isOpen { arguments += areFound ? ["--is-open", "--is-found"] : ["--is-open"] }
            peers.append(try MeshPeerProcess(arguments))
        }
        try work(peers)
    }
}
