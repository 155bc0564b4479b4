package import LatticeWire

/// A session of two peers over whatever carries it, relays that can read and change all of it included: Noise as on a link, with
/// another prologue, so that no message of the one kind of handshake passes for one of the other.
///
/// Messages have to be given in the order in which they were sealed.
package struct EndToEndSession: ~Copyable, Sendable {
    package static let prologue = Array("lattice stream/1".utf8)
    /// After so many messages each side goes on with the next key, without a word.
    package static let rekeyIntervalMessages = Sealer.rekeyIntervalMessages

    /// What the other side said of itself; its identity is proven, the rest is its word.
    package let peer: Introduction
    private var outgoing: CipherState
    private var incoming: CipherState
    private let interval: UInt64
    private var failure: SessionError?

    init(
        peer: Introduction, outgoing: consuming CipherState, incoming: consuming CipherState,
        rekeyIntervalMessages: UInt64
    ) {
        self.peer = peer
        self.outgoing = outgoing
        self.incoming = incoming
        interval = rekeyIntervalMessages
        failure = nil
    }

    /// - Parameter message: at most 65,519 bytes.
    package mutating func seal(_ message: consuming [UInt8]) -> [UInt8] {
        var sealed = message
        do {
            try outgoing.encrypt(authenticating: [], in: &sealed, from: 0)
        } catch {
            preconditionFailure("2^64 messages cannot have been sent: \(error)")
        }
        if outgoing.nonce.isMultiple(of: interval) { outgoing.rekey() }
        return sealed
    }

    /// After an error it stays failed.
    package mutating func open(_ sealed: ArraySlice<UInt8>) throws(SessionError) -> [UInt8] {
        if let failure { throw failure }
        do throws(SessionError) {
            let message = try incoming.decrypt(authenticating: [], sealed)
            if incoming.nonce.isMultiple(of: interval) { incoming.rekey() }
            return message
        } catch {
            failure = error
            throw error
        }
    }
}
