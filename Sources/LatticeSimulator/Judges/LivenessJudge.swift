/// The judges that look when the storm is long over: what they ask for must have come about by then.
package enum LivenessJudge {
    /// - Parameter linesSince: lines said from here on, in milliseconds, were promised to reach everybody.
    package static func faults(of world: World, linesSince: Int64) -> [Fault] {
        SymmetricViews.faults(of: world) + ConnectedOverlay.faults(of: world)
            + Converged.faults(of: world, linesSince: linesSince) + LivingHere.faults(of: world)
    }
}

/// Two peers are connected for both or for neither, by exactly one connection.
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

/// Honest peers that the topology joins over honest peers are joined by connections over honest peers.
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

/// Every line that an honest peer said after the storm was shown to every honest peer that has been up since and that the
/// topology joins with its author over honest peers. Of what was said during the storm only safety was promised.
enum Converged {
    static func faults(of world: World, linesSince: Int64) -> [Fault] {
        var list = FaultList(of: "converged")
        let possible = Components.possible(in: world)
        for (number, track) in world.tracks.enumerated() where track.saidAt >= linesSince {
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
