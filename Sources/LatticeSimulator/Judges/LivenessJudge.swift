/// Judges that look long after the storm, when everything they require must have happened.
package enum LivenessJudge {
    /// - Parameter linesSince: lines said from this time on, in milliseconds, must reach everybody.
    package static func faults(of world: World, linesSince: Int64) -> [Fault] {
        SymmetricViews.faults(of: world) + ConnectedOverlay.faults(of: world)
            + Converged.faults(of: world, linesSince: linesSince) + LivingHere.faults(of: world)
    }
}

/// Either both peers consider themselves connected, by exactly one connection, or neither does.
enum SymmetricViews {
    static func faults(of world: World) -> [Fault] {
        var list = FaultList(of: "symmetric views")
        for peer in world.peers.indices where world.isUp(peer) {
            let view = world.peers[peer].view.map(Int.init)
            for other in view {
                if !world.isConnected(other, with: peer) {
                    list.add(
                        "is connected with peer \(other), which is not with it", at: world.milliseconds, peer: peer)
                }
                let count = world.openConnections(peer, other)
                if count != 1 {
                    list.add("has \(count) connections with peer \(other)", at: world.milliseconds, peer: peer)
                }
            }
            for other in world.openNeighbours(of: peer) where !view.contains(other) {
                list.add("has a connection with peer \(other) that serves nobody", at: world.milliseconds, peer: peer)
            }
        }
        return list.faults
    }
}

/// Honest peers that the topology joins through honest peers are joined by connections through honest peers.
enum ConnectedOverlay {
    static func faults(of world: World) -> [Fault] {
        var list = FaultList(of: "connected overlay")
        let within = Components(of: world) { world.peers[$0].view.map(Int.init) }
        let possible = Components.possible(in: world)
        for peer in world.peers.indices where world.isUp(peer) && world.isHonest(peer) {
            guard let first = possible.first(with: peer), within[peer] != within[first] else { continue }
            list.add("no way over connections leads to peer \(first)", at: world.milliseconds, peer: peer)
        }
        return list.faults
    }
}

/// Every line that an honest peer said after the storm was shown to every honest peer that has been up since and that
/// the topology joins with its author through honest peers. For lines during the storm only safety is required.
enum Converged {
    static func faults(of world: World, linesSince: Int64) -> [Fault] {
        var list = FaultList(of: "converged")
        let possible = Components.possible(in: world)
        for (number, track) in world.records.tracks.enumerated() where track.saidAt >= linesSince {
            guard world.isHonest(track.author), world.isUp(track.author) else { continue }
            for peer in world.peers.indices where world.isUp(peer) && world.isHonest(peer) {
                guard world.startedAt(peer) <= track.saidAt, possible[peer] == possible[track.author] else { continue }
                if !world.wasShown(number, to: peer) {
                    list.add("was never shown r\(number) of peer \(track.author)", at: world.milliseconds, peer: peer)
                }
            }
        }
        return list.faults
    }
}
