import Glibc
import LatticeBridge
import LatticeCore
import Synchronization

/// What a bridge tells its owner: a line for each change, on standard error.
final class BridgeJournal: Sendable {
    private struct Told {
        var line = ""
        var isComplete = false
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

    func note(_ status: BridgeStatus, isComplete: Bool) {
        let obstaclePieces = status.obstaclePiecesIn ?? status.obstaclePiecesOut
        let lines = told.withLock { told in
            defer {
                (told.isComplete, told.obstacleIn, told.obstacleOut, told.obstaclePieces) = (
                    isComplete, status.obstacleIn, status.obstacleOut, obstaclePieces
                )
            }
            var lines: [String] = []
            if status.obstacleIn != told.obstacleIn {
                lines.append(status.obstacleIn.map(Self.words) ?? "records come in again")
            }
            if status.obstacleOut != told.obstacleOut {
                lines.append(status.obstacleOut.map(Self.words) ?? "records go out again")
            }
            if obstaclePieces != told.obstaclePieces {
                let words = obstaclePieces.map { "pictures and files wait: \(Self.words($0))" }
                lines.append(words ?? "pictures and files cross again")
            }
            if isComplete, !told.isComplete {
                let refused = status.taken.refused == 0 ? "" : "; \(status.taken.refused) were refused here"
                let what = status.bridges.map(Self.complete) ?? "both sides have everything"
                lines.append("\(what): \(status.taken.added) in, \(status.published.stored) out\(refused)")
            }
            return lines
        }
        for line in lines { say(line) }
    }

    /// - Parameter bridges: how many others are at a broker without a history.
    private static func complete(_ bridges: Int) -> String {
        switch bridges {
        case 0: "everything is published; no other bridge is there now"
        case 1: "this side has what the other bridge has"
        default: "this side has what the \(bridges) other bridges have"
        }
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
