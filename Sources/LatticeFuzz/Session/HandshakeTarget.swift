import LatticeCore
import LatticeCrypto
import LatticeSession
import LatticeWire

extension FuzzTarget {
    static let handshake = FuzzTarget(
        "handshake",
        "all three messages to both sides, open and closed: what was changed never completes, what was not always does",
        inputBytesMax: 2_200
    ) { bytes throws(BrokenProperty) in
        var source = ByteSource(bytes)
        let isClosed = source.flag()
        switch source.byte() % 4 {
        case 0: try HandshakeTrial.hear(source.all(), isClosed: isClosed, asInitiator: false)
        case 1: try HandshakeTrial.hear(source.all(), isClosed: isClosed, asInitiator: true)
        case 2: try HandshakeTrial.tamper(&source, isClosed: isClosed)
        default: try HandshakeTrial.lie(&source, isClosed: isClosed)
        }
    }
}

/// Two sides with known keys, so that an input always gives the same handshake.
private enum HandshakeTrial {
    private static let meshKey = MeshKey(master: SecretBytes(copying: [UInt8](repeating: 77, count: 32)))
    private static let open = [session(1, nil), session(2, nil)]
    private static let closed = [session(1, meshKey), session(2, meshKey)]

    private static func key(_ seed: UInt8) -> AgreementKey {
        AgreementKey(secret: SecretBytes(copying: [UInt8](repeating: seed, count: 32)))
    }

    private static func session(_ seed: UInt8, _ meshKey: MeshKey?) -> SessionIdentity {
        let identity = Identity(seed: SecretBytes(copying: [UInt8](repeating: seed, count: 32)))
        let staticKey = key(seed + 10)
        let signature = identity.sign(context: Introduction.signatureContext, staticKey.publicKey.bytes)
        return SessionIdentity(peer: identity.peer, staticKey: staticKey, signature: signature, meshKey: meshKey)
    }

    private static func side(_ role: Handshake.Role, isClosed: Bool) -> Handshake {
        let me = (isClosed ? closed : open)[role == .initiator ? 0 : 1]
        let introduction = me.introduction(
            name: MeshCast.shared.name, instance: 7, clock: WallTime(milliseconds: 1_700_000_000_000), port: 4_000)
        return Handshake(
            role: role, me: me, introduction: introduction, ephemeralKey: key(role == .initiator ? 31 : 32))
    }

    /// A stranger without a key never gets in.
    static func hear(_ bytes: [UInt8], isClosed: Bool, asInitiator: Bool) throws(BrokenProperty) {
        var handshake = side(asInitiator ? .initiator : .responder, isClosed: isClosed)
        if asInitiator { _ = handshake.begin() }
        var splitter = MessageSplitter(messageBytesMax: Handshake.messageBytesMax)
        splitter.append(bytes)
        var said = 0
        var hasFailed = false
        while let message = accepted({ try splitter.next() }) ?? nil {
            let answer = accepted { try handshake.receive(message) }
            if hasFailed { try hold(answer == nil, "a handshake goes on after an error") }
            hasFailed = hasFailed || answer == nil
            if let reply = answer ?? nil {
                said += 1
                try hold(reply.count <= 2 + Handshake.messageBytesMax, "an answer is too long")
            }
        }
        try hold(!handshake.isComplete, "a stranger got in without a key")
        // An open responder answers a stranger's first message once; a closed one and an initiator do not answer.
        try hold(said <= (isClosed || asInitiator ? 0 : 1), "a stranger gets more than one answer")
    }

    /// An honest handshake in which bytes of one message may be changed in transit.
    static func tamper(_ source: inout ByteSource, isClosed: Bool) throws(BrokenProperty) {
        var initiator = side(.initiator, isClosed: isClosed)
        var responder = side(.responder, isClosed: isClosed)
        let target = source.index(below: 4)
        var isChanged = false
        var message = initiator.begin()
        for number in 0..<3 {
            guard var bytes = message else { break }
            if number == target {
                let before = bytes
                while !source.isEmpty { bytes[2 + source.index(below: bytes.count - 2)] ^= source.byte() }
                isChanged = bytes != before
            }
            message =
                number == 1
                ? accepted { try initiator.receive(bytes[2...]) } ?? nil
                : accepted { try responder.receive(bytes[2...]) } ?? nil
        }
        if isChanged {
            try hold(!(initiator.isComplete && responder.isComplete), "what was changed on its way was not noticed")
            try hold(target != 2 || !responder.isComplete, "a changed last message completes")
            try hold(target != 1 || !initiator.isComplete, "a changed second message completes")
        } else {
            try hold(initiator.isComplete && responder.isComplete, "an honest handshake fails")
            let hashes = [initiator.finish().handshakeHash, responder.finish().handshakeHash]
            try hold(hashes[0] == hashes[1], "both sides are in different sessions")
        }
    }

    /// A neighbour that has the mesh key but sends arbitrary payloads in the handshake.
    static func lie(_ source: inout ByteSource, isClosed: Bool) throws(BrokenProperty) {
        var responder = side(.responder, isClosed: isClosed)
        var liar = NoiseHandshake(
            isClosed ? .xxpsk0 : .xx, role: .initiator, prologue: Handshake.prologue, staticKey: key(55),
            preSharedKey: isClosed ? meshKey.preSharedKey() : nil, ephemeralKey: key(56))
        let first = [Handshake.version] + source.bytes(Int(source.byte() % 8))
        let payload = source.bytes(Introduction.bytesMax + 8)
        guard let opening = accepted({ try liar.write(payload: first) }) else { return }
        guard let answer = accepted({ try responder.receive(opening[...]) }) ?? nil else {
            throw BrokenProperty("a peer with the right key gets no answer")
        }
        guard accepted({ try liar.read(answer[2...]) }) != nil,
            let last = accepted({ try liar.write(payload: payload) })
        else { throw BrokenProperty("the answer cannot be read") }
        _ = accepted { try responder.receive(last[...]) }
        // Nobody has signed that static key.
        try hold(!responder.isComplete, "somebody got in under an identity that is not theirs")
    }
}
