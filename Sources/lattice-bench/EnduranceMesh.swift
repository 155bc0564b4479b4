import Foundation

final class EnduranceMesh {
    let options: EndureBench
    let plan: EndurancePlan
    let ledger: EnduranceLedger
    let peers: [EndurancePeer]
    private let folder: URL
    private let mesh = "bench-\(UUID().uuidString.prefix(8))"
    /// The number of lines in the run. Lines with higher numbers are from before the peers met.
    private let lines: Int
    private var addresses: [String] = []
    private var leavings: [Int: EndurancePlan.Leaving] = [:]
    var watch: EnduranceWatch
    var faults: [String] = []

    init(_ options: EndureBench, _ plan: EndurancePlan, lines: Int, folder: URL) {
        self.options = options
        self.plan = plan
        self.folder = folder
        self.lines = lines
        let withPast = (options.peers + 1) / 2
        let ledger = EnduranceLedger(lines: lines + withPast * options.past, duration: plan.duration)
        self.ledger = ledger
        let arguments = ["--mesh", mesh, "--discovery", "off"]
        peers = (0..<options.peers).map { number in
            EndurancePeer(
                options.target.path, name: "peer\(number)", isSteadfast: number < options.steadfast, in: folder,
                arguments, ledger)
        }
        watch = EnduranceWatch(duration: plan.duration, peers: options.steadfast)
    }

    func end() {
        for peer in peers { peer.end() }
    }

    /// - Returns: what failed.
    func endure() throws -> [String] {
        try livePast()
        try meet()
        try warmUp()
        let before = try rest()
        try run()
        let (isWhole, links) = try heal()
        let after = try rest()
        let ears = peers.prefix(options.steadfast).compactMap(\.ear)
        try leave()
        let books = try books()
        if !isWhole { faults.append("the stores had not come to the same \(Int(Self.patience)) s after the last line") }
        return try conclude(before, after, links, ears, books)
    }

    // MARK: - Before the run

    /// Every second peer writes some lines while it is alone.
    private func livePast() throws {
        guard options.past > 0 else { return }
        var line = lines
        for (number, peer) in peers.enumerated() where number.isMultiple(of: 2) {
            try peer.start(peers: [])
            _ = try peer.address()
            let end = line + options.past
            for own in line..<end { try peer.say(own, bytes: options.bytes) }
            try wait("the past of \(peer.name) is said") { ledger.acknowledgedCount >= end - lines }
            line = end
            try peer.leave(.asked)
            try peer.gone()
        }
    }

    private func meet() throws {
        for peer in peers {
            try peer.start(peers: addresses)
            let address = try peer.address()
            // Two of the peers that stay are the starting points for all others.
            if peer.isSteadfast, addresses.count < 2 { addresses.append(address) }
        }
        try wait("everybody has everything") {
            try standing().allSatisfy { $0.storedLines >= ledger.acknowledgedCount }
        }
    }

    /// Opens what is opened only on first use, such as the readers of a store.
    private func warmUp() throws {
        for _ in 0..<3 {
            for peer in peers {
                try peer.type("/history 50")
                try peer.type("/near 40.7,-74")
            }
        }
        _ = try standing()
    }

    // MARK: - The run

    private func run() throws {
        ledger.begin()
        var (nextLook, nextWord) = (0.0, 60.0)
        let start = seconds()
        for step in plan.steps {
            while seconds() - start < step.at {
                let now = seconds() - start
                if now >= nextLook {
                    try look(at: now)
                    nextLook = now + options.every
                }
                if now >= nextWord {
                    try tell(at: now)
                    nextWord += 60
                }
                Thread.sleep(forTimeInterval: min(0.05, max(0, step.at - (seconds() - start))))
            }
            try take(step)
        }
        try look(at: seconds() - start)
    }

    private func take(_ step: EndurancePlan.Step) throws {
        switch step.act {
        case .say(let line, let first):
            // If this peer is absent, the next one speaks.
            for number in 0..<peers.count {
                let peer = peers[(first + number) % peers.count]
                if peer.isReady { return try peer.say(line, bytes: options.bytes) }
            }
        case .leave(let number, let leaving):
            try peers[number].leave(leaving)
            leavings[number] = leaving
        case .comeBack(let number):
            try peers[number].gone()
            if leavings[number] == .replaced { try peers[number].replace() }
            try peers[number].start(peers: addresses)
        }
    }

    private func look(at now: Double) throws {
        watch.lookAtMachine(at: now)
        for (number, peer) in peers.enumerated() {
            guard peer.isHere, let cost = peer.cost else { continue }
            try watch.look(at: cost, number, StoreSize(in: peer.folder), at: now)
        }
    }

    private func tell(at now: Double) throws {
        try report([
            "bench": "endure", "minute": Int(now / 60), "typed": ledger.typedCount,
            "acknowledged": ledger.acknowledgedCount, "starts": peers.map(\.starts).reduce(0, +),
            "rss_kb": watch.lastMemory, "descriptors": watch.lastDescriptors, "store_kb": watch.storeMax.file,
            "wal_kb_max": watch.storeMax.log,
        ])
    }

    // MARK: - After the run

    private func heal() throws -> (isWhole: Bool, links: [Int]) {
        let end = seconds() + Self.patience
        while true {
            let all = try standing()
            let stored = Set(all.map(\.storedLines))
            let isWhole = stored.count == 1 && stored.allSatisfy { $0 >= ledger.acknowledgedCount }
            if isWhole || seconds() > end { return (isWhole, all.map(\.links)) }
            Thread.sleep(forTimeInterval: 1)
        }
    }

    private func leave() throws {
        for peer in peers { try peer.leave(.asked) }
        for peer in peers { try peer.gone() }
    }

    /// Open descriptors of the peers that stay, once they have stopped changing.
    private func rest() throws -> [EnduranceRest?] {
        var (last, same) = ([EnduranceRest?](), 0)
        let end = seconds() + Self.patience
        while same < 3, seconds() < end {
            Thread.sleep(forTimeInterval: 1)
            let links = try standing().map(\.links)
            let now = zip(peers, links).prefix(options.steadfast).map { $0.cost?.rest(links: $1) }
            let isSame =
                now.count == last.count
                && zip(now, last).allSatisfy { now, last in
                    guard let now, let last else { return true }
                    return now.isLike(last)
                }
            same = isSame ? same + 1 : 0
            last = now
        }
        return last
    }

    private func standing() throws -> [(links: Int, storedLines: Int)] {
        try peers.map { try $0.standing() }
    }

    private func books() throws -> EnduranceBooks {
        let all = ledger.isAcknowledged
        let kept = try peers.map { peer in
            try EnduranceStore.lines(
                of: peer.folder, in: mesh, by: options.target.path, through: folder.appending(path: "stick"),
                count: all.count)
        }
        return EnduranceBooks(isAcknowledged: all, kept: kept)
    }

    private static let patience = 180.0

    private func wait(_ what: String, until holds: () throws -> Bool) throws {
        let end = seconds() + Self.patience
        while try !holds() {
            guard seconds() < end else { throw BenchError("timed out waiting until \(what)") }
            Thread.sleep(forTimeInterval: 0.2)
        }
    }
}
