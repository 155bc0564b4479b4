import LatticeCore
import LatticeMesh
import LatticeSession
import LatticeWire
import Synchronization

/// The handshake of one stream, and the resulting session.
final class StreamCipher: Sendable {
    private struct State: ~Copyable {
        var handshake: Handshake?
        var session: EndToEndSession?
        /// Numbers of datagrams that have come.
        var window = DatagramWindow()
    }

    private let state: Mutex<State>
    private let peer: PeerID

    /// - Parameter peer: the required identity of the other side.
    init(_ role: Handshake.Role, with peer: PeerID, me: SessionIdentity, introduction: Introduction) {
        self.peer = peer
        state = Mutex(
            State(
                handshake: Handshake(
                    role: role, me: me, introduction: introduction, prologue: EndToEndSession.prologue),
                session: nil))
    }

    /// The opener's first message.
    func begin() -> [UInt8] {
        state.withLock { state in
            guard let first = state.handshake?.begin() else { preconditionFailure("a stream begins once") }
            return Array(first.dropFirst(Self.prefixBytes))
        }
    }

    /// Processes a handshake message.
    ///
    /// - Returns: the answer, and whether the handshake is complete.
    /// - Throws: also if another peer answered.
    func receive(_ message: [UInt8]) throws(SessionError) -> (answer: [UInt8]?, isComplete: Bool) {
        let result: Result<([UInt8]?, Bool), SessionError> = state.withLock { state in
            do throws(SessionError) {
                guard let answer = try state.handshake?.receive(message[...]) else {
                    return .success((nil, try finish(&state)))
                }
                return .success((Array(answer.dropFirst(Self.prefixBytes)), try finish(&state)))
            } catch {
                return .failure(error)
            }
        }
        let (answer, isComplete) = try result.get()
        return (answer, isComplete)
    }

    private func finish(_ state: inout State) throws(SessionError) -> Bool {
        guard state.handshake?.isComplete == true, let handshake = state.handshake.take() else { return false }
        let session = handshake.finishEndToEnd()
        guard session.peer.peer == peer else { throw .badIdentity }
        state.session = consume session
        return true
    }

    func seal(_ part: StreamPart) -> [UInt8] {
        state.withLock { state in
            guard let sealed = state.session?.seal(part.bytes) else { preconditionFailure("there is a session") }
            return sealed
        }
    }

    func seal(in message: inout [UInt8], from start: Int) {
        state.withLock { state in
            if state.session?.seal(in: &message, from: start) == nil { preconditionFailure("there is a session") }
        }
    }

    func open(_ octets: [UInt8]) throws(SessionError) -> [UInt8] {
        let result: Result<[UInt8], SessionError> = state.withLock { state in
            do throws(SessionError) {
                guard let message = try state.session?.open(octets[...]) else { throw SessionError.unexpectedMessage }
                return .success(message)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    // MARK: - Datagrams

    func sealDatagram(_ payload: [UInt8], authenticating data: [UInt8]) -> (sequence: UInt64, octets: [UInt8]) {
        state.withLock { state in
            guard let sealed = state.session?.datagrams.seal(payload, authenticating: data) else {
                preconditionFailure("there is a session")
            }
            return sealed
        }
    }

    /// - Returns: `nil` if the other side did not seal it with these keys, or it came before.
    func openDatagram(_ frame: DatagramFrame, authenticating data: [UInt8]) -> [UInt8]? {
        state.withLock { state in
            let opened = state.session?.datagrams.open(
                frame.octets, sequence: frame.sequence, authenticating: data)
            // Only what its peer has sealed moves the window.
            guard let payload = opened, state.window.take(frame.sequence) else { return nil }
            return payload
        }
    }

    /// A link prefixes each message with its length; here it is one part.
    private static let prefixBytes = 2
}
