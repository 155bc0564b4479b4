import Glibc
import LatticeBridge
import LatticeCore
import Synchronization

/// What a bridge tells its owner: a line for each change, on standard error.
final class BridgeJournal: Sendable {
    private struct Told {
        var line = ""
        var isLive = false
        var wasConnected = false
        var obstacleIn: BridgeStatus.Obstacle?
        var obstacleOut: BridgeStatus.Obstacle?
        var obstaclePieces: BridgeStatus.Obstacle?
    }

    private let told = Mutex(Told())

    var wasConnected: Bool { told.withLock(\.wasConnected) }

    func connected() {
        told.withLock { $0.wasConnected = true }
        say("connected to the broker")
    }

    /// The same line twice in a row is said once.
    func say(_ words: String) {
        told.withLock { told in
            guard told.line != words else { return }
            told.line = words
            Self.write(words)
        }
    }

    func note(_ status: BridgeStatus) {
        let lines = told.withLock { told in
            defer {
                (told.isLive, told.obstacleIn, told.obstacleOut, told.obstaclePieces) = (
                    status.isLive, status.obstacleIn, status.obstacleOut, status.obstaclePieces
                )
            }
            var lines: [String] = []
            if status.obstacleIn != told.obstacleIn {
                lines.append(status.obstacleIn.map(Self.words) ?? "records come in again")
            }
            if status.obstacleOut != told.obstacleOut {
                lines.append(status.obstacleOut.map(Self.words) ?? "records go out again")
            }
            if status.obstaclePieces != told.obstaclePieces {
                let words = status.obstaclePieces.map { "pictures and files wait: \(Self.words($0))" }
                lines.append(words ?? "pictures and files go out again")
            }
            if status.isLive, !told.isLive {
                let refused = status.taken.refused == 0 ? "" : "; \(status.taken.refused) were refused here"
                lines.append(
                    "both sides have everything: \(status.taken.added) in, \(status.published.stored) out\(refused)")
            }
            return lines
        }
        for line in lines { say(line) }
    }

    static func words(_ obstacle: BridgeStatus.Obstacle) -> String {
        switch obstacle {
        case .broker(.unreachable(let why)): "waiting for the broker: \(why)"
        case .broker(.refused(let why)): "the broker refuses: \(why)"
        case .broker(.otherSettings(let why)), .broker(.closed(let why)): why
        case .broker(.missingStream(let name)): "there is no stream \(name)"
        case .full: "the broker's stream is full; nothing goes out until it has space"
        case .nodeBusy: "the node cannot store records now"
        }
    }

    static func write(_ words: String) {
        let line = "lattice-bridge: \(DisplayText.safe(words))\n"
        _ = line.withCString { Glibc.write(2, $0, strlen($0)) }
    }
}
