import LatticeCore

// Plans about blobs, generated from a seed.
extension BlobPlan {
    private static let calmAt: Int64 = 90_000

    package static func random(seed: UInt64) -> BlobPlan {
        var generator = SeededGenerator(seed: seed ^ 0x626C_6F62_706C)
        let topology = Topology.ofBlobs(using: &generator)
        var plan = BlobPlan(topology, seed: seed, blobs: [], calmAt: calmAt)
        let rates: [ClosedRange<Int64>] = [
            200_000...400_000, 1_000_000...5_000_000, 5_000_000...5_000_000, 2_000_000...30_000_000,
        ]
        let delays: [ClosedRange<Int64>] = [1...1, 1...10, 5...50, 20...200]
        plan.bytesPerSecond = rates.randomElement(using: &generator) ?? 1_000_000...1_000_000
        plan.delay = delays.randomElement(using: &generator) ?? 1...1
        plan.addBlobs(using: &generator)
        plan.addLiars(using: &generator)
        for rank in 0..<topology.count where Int.random(in: 0..<8, using: &generator) == 0 {
            plan.passingMax[rank] = Int64.random(in: 0...8 << 20, using: &generator)
        }
        plan.addPeople(using: &generator)
        for _ in 0..<Int.random(in: 0...topology.count, using: &generator) {
            plan.weather += plan.storm(using: &generator)
        }
        return plan
    }

    private mutating func addBlobs(using generator: inout SeededGenerator) {
        // Half a minute over the slowest link, or what the machine can simulate in a moment.
        let most = min(64 << 20, bytesPerSecond.lowerBound * 30)
        let sizes: [ClosedRange<Int64>] = [
            0...0, 1...32_768, 32_769...100_000, 100_000...3_000_000, 3_000_000...12_000_000, 33_000_000...34_500_000,
            34_500_000...64 << 20,
        ]
        let isMany = Int.random(in: 0..<10, using: &generator) == 0 && topology.count <= 10
        var left: Int64 = isMany ? 20 << 20 : 96 << 20
        for _ in 0..<(isMany ? Int.random(in: 50...120, using: &generator) : Int.random(in: 1...5, using: &generator)) {
            let range = sizes[Int.random(in: 0..<(isMany ? 3 : sizes.count), using: &generator)]
            let size = min(most, left, Int64.random(in: range, using: &generator))
            blobs.append(Blob(size: size))
            left -= size
        }
        if Int.random(in: 0..<4, using: &generator) == 0 {
            let number = Int.random(in: 0..<blobs.count, using: &generator)
            blobs.append(Blob(size: blobs[number].size + 1, falseNameOf: number))
        }
    }

    private mutating func addLiars(using generator: inout SeededGenerator) {
        guard topology.count > 3, Bool.random(using: &generator) else { return }
        for _ in 0..<Int.random(in: 1...max(1, topology.count / 4), using: &generator) {
            lies[Int.random(in: 0..<topology.count, using: &generator)] = BlobLie.allCases.randomElement(
                using: &generator)
        }
    }

    private func honest(using generator: inout SeededGenerator) -> Int {
        let honest = lies.indices.filter { lies[$0] == nil }
        return honest.randomElement(using: &generator) ?? 0
    }

    private mutating func addPeople(using generator: inout SeededGenerator) {
        for (number, blob) in blobs.enumerated() {
            let isLarge = blob.size > 4 << 20
            if blob.falseNameOf == nil {
                if Int.random(in: 0..<4, using: &generator) == 0 {
                    for part in 0..<3 {
                        happens(at: 0, .keep(honest(using: &generator), blob: number, from: part, every: 3))
                    }
                } else {
                    for _ in 0..<Int.random(in: 1...3, using: &generator) {
                        happens(at: 0, .keep(honest(using: &generator), blob: number))
                    }
                }
            }
            for _ in 0..<Int.random(in: 1...(isLarge ? 3 : 5), using: &generator) {
                let time = Int64.random(in: 1...Self.calmAt - 30_000, using: &generator)
                happens(at: time, .want(honest(using: &generator), blob: number))
            }
            if Int.random(in: 0..<6, using: &generator) == 0 {
                let time = Int64.random(in: 1...Self.calmAt, using: &generator)
                happens(at: time, .offer(honest(using: &generator), blob: number))
            }
        }
        // Who has something does not begin to want it, and has one part of it only.
        var seen: Set<[Int]> = []
        weather = weather.filter { event in
            switch event.kind {
            case .keep(let rank, let blob, _, _), .want(let rank, let blob, _): seen.insert([rank, blob]).inserted
            default: true
            }
        }
    }

    /// A single incident; it ends before the storm does.
    private func storm(using generator: inout SeededGenerator) -> [BlobWeather] {
        let rank = honest(using: &generator)
        let neighbours = Adjacency(topology, seed: seed).neighbours(of: rank)
        let other = neighbours.randomElement(using: &generator) ?? rank
        let blob = Int.random(in: 0..<blobs.count, using: &generator)
        let start = Int64.random(in: 500..<60_000, using: &generator)
        let end = Int64.random(in: start + 10..<Self.calmAt, using: &generator)
        func both(_ first: BlobWeather.Kind, _ second: BlobWeather.Kind) -> [BlobWeather] {
            [BlobWeather(at: start, first), BlobWeather(at: end, second)]
        }
        switch Int.random(in: 0..<10, using: &generator) {
        case 0, 1: return both(.cut(rank, other), .join(rank, other))
        case 2: return both(.crash(rank, isPowerCut: false), .restart(rank, keepsMap: true))
        case 3: return both(.crash(rank, isPowerCut: true), .restart(rank, keepsMap: true))
        case 4:
            let keepsMap = Bool.random(using: &generator)
            return both(.crash(rank, isPowerCut: false), .restart(rank, keepsMap: keepsMap))
        case 5: return [BlobWeather(at: start, .stall(rank, other, min(end - start, 30_000)))]
        case 6: return both(.fill(rank), .free(rank))
        case 7: return [BlobWeather(at: start, .unwant(rank, blob: blob))]
        case 8: return [BlobWeather(at: start, .delete(rank, blob: blob))]
        default: return [BlobWeather(at: start, .rot(rank, blob: blob))]
        }
    }
}

extension Topology {
    fileprivate static func ofBlobs(using generator: inout SeededGenerator) -> Topology {
        switch Int.random(in: 0..<8, using: &generator) {
        case 0...2: .line(Int.random(in: 2...7, using: &generator))
        case 3: .ring(Int.random(in: 3...10, using: &generator))
        case 4: .full(Int.random(in: 2...8, using: &generator))
        default: .random(Int.random(in: 4...32, using: &generator), degree: Int.random(in: 3...5, using: &generator))
        }
    }
}
