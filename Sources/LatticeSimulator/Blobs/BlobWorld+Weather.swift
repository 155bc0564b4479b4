import LatticeCore
import LatticeMesh
import LatticeWire

// What happens to a world, and what its judges look at.
extension BlobWorld {
    mutating func befall(_ kind: BlobWeather.Kind) {
        story.tell("\(kind)", at: milliseconds)
        switch kind {
        case .keep(let rank, let blob, let first, let every): keep(blob, at: rank, from: first, every: every)
        case .want(let rank, let blob, let within): want(blob, at: rank, within: within)
        case .unwant(let rank, let blob):
            peers[rank].wishes[blob] = nil
            handle(.unwanted(names[blob]), at: rank)
        case .offer(let rank, let blob):
            guard peers[rank].disk.shared(blob)?.have.isComplete ?? false else { return }
            handle(.offer(names[blob], to: links(of: rank).prefix(3).map(\.link)), at: rank)
        case .delete(let rank, let blob):
            peers[rank].wishes[blob] = nil
            peers[rank].disk.delete(blob, at: milliseconds)
            judge.deleted(blob, at: rank, milliseconds)
            handle(.unwanted(names[blob]), at: rank)
        case .cut(let left, let right):
            for pair in pair(left, right) {
                isCut[pair] = true
                part(pair)
            }
        case .join(let left, let right):
            for pair in pair(left, right) {
                isCut[pair] = false
                join(pair)
            }
        case .stall(let left, let right, let time):
            for pair in pair(left, right) { pairs[pair].stalledUntil = now + time * 1_000_000 }
        case .crash(let rank, let isPowerCut): crash(rank, isPowerCut: isPowerCut)
        case .restart(let rank, let keepsMap): restart(rank, keepsMap: keepsMap)
        case .fill(let rank): peers[rank].disk.isFull = true
        case .free(let rank): peers[rank].disk.isFull = false
        case .rot(let rank, let blob): peers[rank].disk.rot(blob)
        }
    }

    private func pair(_ left: Int, _ right: Int) -> [Int] {
        pairs.indices.filter { pairs[$0].ends == (min(left, right), max(left, right)) }
    }

    /// All nodes, and some of the leaves.
    private mutating func keep(_ blob: Int, at rank: Int, from first: Int, every: Int) {
        let shape = BlobShape(names[blob])
        var pieces = PieceSet(of: shape.pieceCount)
        for number in 0..<shape.pieceCount {
            if case .leaf(let leaf) = shape.piece(number), leaf % every != first % every { continue }
            pieces.insert(number)
        }
        peers[rank].disk.keep(blob, pieces)
    }

    private mutating func want(_ blob: Int, at rank: Int, within: Int64?) {
        guard peers[rank].isHonest else { return }
        let shape = BlobShape(names[blob])
        let have = peers[rank].disk.beginOwn(blob, of: shape.pieceCount)
        var lacking = 0
        for number in 0..<shape.pieceCount where !have.contains(number) { lacking += shape.byteCount(of: number) }
        peers[rank].wishes[blob] = BlobWish(at: milliseconds, within: within, lacking: lacking)
        handle(.wanted(names[blob], have: have, from: nil), at: rank)
    }

    private mutating func crash(_ rank: Int, isPowerCut: Bool) {
        guard peers[rank].isUp else { return }
        peers[rank].stop(isPowerCut: isPowerCut)
        for pair in pairs.indices where pairs[pair].ends.0 == rank || pairs[pair].ends.1 == rank { part(pair) }
    }

    private mutating func restart(_ rank: Int, keepsMap: Bool) {
        guard !peers[rank].isUp else { return }
        peers[rank].disk.recover(keepsMap: keepsMap)
        judge.recovered(peers[rank].disk, names.count, rank, at: milliseconds)
        peers[rank].start(seed: generator.next())
        for blob in peers[rank].wishes.keys.sorted() where peers[rank].wishes[blob]?.completedAt == nil {
            if !keepsMap { peers[rank].wishes[blob]?.forgets(names[blob]) }
            let have = peers[rank].disk.beginOwn(blob, of: BlobShape(names[blob]).pieceCount)
            handle(.wanted(names[blob], have: have, from: nil), at: rank)
        }
        peers[rank].changeAll()
        for pair in pairs.indices where pairs[pair].ends.0 == rank || pairs[pair].ends.1 == rank { join(pair) }
    }

    mutating func calm() {
        story.tell("the storm is over", at: milliseconds)
        for rank in peers.indices {
            peers[rank].disk.isFull = false
            restart(rank, keepsMap: true)
        }
        for pair in pairs.indices {
            isCut[pair] = false
            pairs[pair].stalledUntil = 0
            join(pair)
        }
    }

    // MARK: - Judges

    mutating func inspect() {
        for rank in peers.indices {
            peers[rank].disk.clean(at: milliseconds)
            guard peers[rank].isHonest, peers[rank].isUp else { continue }
            judge.inspected(peers[rank].tables, peers[rank].disk, rank, at: milliseconds)
        }
        for pair in pairs where pair.link != nil {
            for (left, right) in [(pair.ends.0, pair.ends.1), (pair.ends.1, pair.ends.0)] {
                guard peers[left].isHonest, peers[right].isHonest else { continue }
                let isShunning = peers[left].isShunning(peers[right].id, at: now)
                if isShunning, !judge.hasRotten(right) { judge.shuns(right, by: left, at: milliseconds) }
            }
        }
        guard milliseconds > plan.calmAt, plan.weather.allSatisfy({ $0.at < milliseconds }) else {
            return
        }
        let isContent = peers.indices.allSatisfy { rank in
            peers[rank].wishes.allSatisfy { $0.value.completedAt != nil || !isReachable($0.key, from: rank) }
        }
        contentAt = isContent ? contentAt ?? milliseconds : nil
    }

    /// Bytes that each change of a source may cost a peer.
    func changeBytes(of rank: Int) -> Int {
        let most = pairs.filter { $0.ends.0 == rank || $0.ends.1 == rank }.map(\.bytesUnderWay).max() ?? 0
        return (1 << 20) + most
    }

    /// What has not happened and must have.
    func ending() -> [Fault] {
        var list = FaultList(of: "wanters complete")
        var costs = FaultList(of: "bytes bounded")
        var late = FaultList(of: "in time")
        for rank in peers.indices where peers[rank].isHonest {
            for blob in peers[rank].wishes.keys.sorted() {
                guard let wish = peers[rank].wishes[blob] else { continue }
                let most = wish.lacking * 102 / 100 + (1 + wish.changes) * changeBytes(of: rank) + wish.lostBytes
                if wish.bytesIn > most {
                    costs.add(
                        "got \(wish.bytesIn) bytes of blob \(blob), at most \(most) are allowed", at: milliseconds,
                        peer: rank)
                }
                let took = (wish.completedAt ?? milliseconds) - wish.at
                if let within = wish.within, took > within {
                    late.add("waited \(took) ms for blob \(blob)", at: milliseconds, peer: rank)
                }
                if wish.completedAt == nil, peers[rank].isUp, isReachable(blob, from: rank) {
                    list.add("never got blob \(blob)", at: milliseconds, peer: rank)
                }
            }
        }
        return list.faults + costs.faults + late.faults
    }

    /// Whether each piece of a blob is within three links, over honest peers that pass on what they do not want.
    private func isReachable(_ blob: Int, from rank: Int) -> Bool {
        let pieceCount = BlobShape(names[blob]).pieceCount
        var found = peers[rank].disk.truth(blob) ?? PieceSet(of: pieceCount)
        var seen: Set<Int> = [rank]
        var edge = [rank]
        for _ in 0...Int(Want.hopsMax) {
            var next: [Int] = []
            for peer in edge where peer == rank || passes(peer) {
                for (_, far) in links(of: peer) where peers[far].isHonest && seen.insert(far).inserted {
                    next.append(far)
                    for range in peers[far].disk.truth(blob)?.ranges ?? [] { found.insert(range) }
                }
            }
            edge = next
        }
        return found.isComplete
    }

    private func passes(_ rank: Int) -> Bool {
        plan.passingMax[rank] >= plan.blobs.reduce(0) { $0 + $1.size + Int64(BlobShape.leafBytes) * 4 }
    }
}

extension BlobWish {
    /// What was here is fetched once more.
    fileprivate mutating func forgets(_ name: BlobName) {
        lostBytes += Int(name.size) * 102 / 100
    }
}
