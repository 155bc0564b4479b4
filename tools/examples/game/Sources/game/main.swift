import Foundation
import Lattice

// game NAME: up to 16 play tag on 10 × 10 fields without an edge. Type w, a, s or d to go up, left, down or right.
let game = Game()

actor Game {
    /// Column and row. All begin on the same field.
    private(set) var own: [UInt8] = [0, 0]
    private var fields: [PeerID: [UInt8]] = [:]
    private var chaser: Peer?
    /// Where somebody became the chaser, who must leave that field to touch others.
    private var touched: [UInt8]? = [0, 0]

    func move(_ direction: String) {
        guard let step = ["w": (0, 9), "a": (9, 0), "s": (0, 1), "d": (1, 0)][direction] else { return }
        own = [(own[0] + UInt8(step.0)) % 10, (own[1] + UInt8(step.1)) % 10]
    }

    func put(_ peer: Peer, on field: [UInt8]) { fields[peer.id] = field }

    @discardableResult func name(_ peer: Peer) -> Peer {
        if peer != chaser { print("\(peer) is it") }
        chaser = peer
        return peer
    }

    /// - Returns: the chaser, who may have touched somebody and be another one now.
    func judge(_ me: Peer, _ others: [Peer]) -> Peer {
        fields[me.id] = own
        guard let chaser, ([me] + others).contains(chaser), let field = fields[chaser.id] else { return name(me) }
        if field != touched { touched = nil }
        guard touched == nil, let caught = ([me] + others).first(where: { $0 != chaser && fields[$0.id] == field })
        else { return chaser }
        touched = field
        return name(caught)
    }
}

/// Tells all the own field. The player with the smallest id also writes to each who the chaser is: its id, over a stream.
func play(_ session: Session, _ me: Peer) async throws {
    var streams: [Peer: (stream: PeerStream, chaser: Peer)] = [:]
    while true {
        try await Task.sleep(for: .milliseconds(100))
        let others = Array(session.connectedPeers.prefix(15))
        try await session.send(game.own, to: others, mode: .unreliable)
        guard !others.isEmpty, others.allSatisfy({ "\(me.id)" < "\($0.id)" }) else { continue }
        let chaser = await game.judge(me, others)
        for other in others where streams[other]?.chaser != chaser {
            do {
                let known = streams[other]?.stream
                let stream = if let known { known } else { try await session.openStream(named: "tag", to: other) }
                try await stream.write(chaser.id.description.utf8)
                streams[other] = (stream, chaser)
            } catch {
                streams[other] = nil  // It has left, or gets another stream next time.
            }
        }
    }
}

func obey(_ stream: PeerStream, _ session: Session, _ me: Peer) async {
    var text = ""
    do {
        for try await bytes in stream.inbound {
            text += String(decoding: bytes, as: UTF8.self)
            while text.count >= 64 {
                let chaser = ([me] + session.connectedPeers).first { "\($0.id)" == text.prefix(64) }
                text.removeFirst(64)
                if let chaser { await game.name(chaser) }
            }
        }
    } catch { return }  // The referee has left.
}

func fail(_ words: String, code: Int32 = 1) -> Never {
    FileHandle.standardError.write(Data("game: \(words)\n".utf8))
    exit(code)
}

let arguments = CommandLine.arguments.dropFirst()
guard let name = arguments.first, arguments.count == 1 else { fail("say 'game NAME'", code: 2) }
do {
    try await withSession(Configuration(name: name, mesh: "game")) { session in
        let me = try await session.me
        await withTaskGroup { group in
            group.addTask { for await message in session.received { await game.put(message.peer, on: message.bytes) } }
            group.addTask {
                await withDiscardingTaskGroup { readers in
                    for await stream in session.streams { readers.addTask { await obey(stream, session, me) } }
                }
            }
            group.addTask { do { try await play(session, me) } catch { if !Task.isCancelled { print("\(error)") } } }
            while let line = readLine() { await game.move(line) }
            group.cancelAll()
        }
    }
} catch {
    fail("\(error)")
}
