import LatticeAPI
import LatticeCore
import LatticeNode

extension Session {
    /// Streams that others open. One reader at a time.
    public var streams: IncomingStreams { IncomingStreams(queue: incoming) }

    /// Opens a stream of bytes to a peer, sealed from end to end, over any number of links.
    ///
    /// There can be 32 at a time, with those that carry messages.
    ///
    /// - Parameters:
    ///   - name: what it is for, 1–63 of `a–z`, `A–Z`, `0–9`, `.`, `-` and `_`; not beginning with `lattice.`. The other side
    ///     reads it in ``PeerStream/name``.
    ///   - peer: who takes it.
    ///   - timeout: how long to wait for a way to the peer and for its session to take the stream, up to a day.
    /// - Throws: ``LatticeError/Code/invalid`` for a name, a timeout or this session's own id;
    ///   ``LatticeError/Code/noRoute``, ``LatticeError/Code/timedOut`` if the peer cannot be reached or does not answer;
    ///   ``LatticeError/Code/unwanted`` if it takes none, because 16 wait there or its program is of another kind, or if it
    ///   is blocked here; ``LatticeError/Code/busy`` if there are 32 streams here or there;
    ///   ``LatticeError/Code/closed``, ``LatticeError/Code/cancelled``.
    nonisolated(nonsending) public func openStream(
        named name: String, to peer: Peer, timeout: Duration = .seconds(10)
    ) async throws(LatticeError) -> PeerStream {
        guard (.zero...OpenStream.waitMax).contains(timeout) else {
            throw LatticeError(.invalid, "a timeout is at most a day")
        }
        let label = try StreamLabel(ofApp: name)
        let running = try await running()
        do throws(LatticeError) {
            let info = try await running.open(peer.id.core, for: label, wait: timeout)
            return PeerStream(info, peer, running.node)
        } catch {
            throw error.about(peer.id)
        }
    }

    /// Takes what others open, as long as there is room.
    func acceptStreams(on running: ServingNode) async {
        while await incoming.first({ $0.hasRoom ? () : nil }) != nil {
            do throws(RequestError) {
                let info = try await running.node.streams.listen(for: nil, from: nil)
                let name = board.read { $0[info.peer]?.peer.name } ?? ""
                let stream = PeerStream(info, Peer(info.peer, name: name), running.node)
                incoming.change { $0.put(stream) }
            } catch {
                return  // The node ends.
            }
        }
    }
}

extension StreamLabel {
    private static let reserved = "lattice."

    fileprivate init(ofApp name: String) throws(LatticeError) {
        guard !name.hasPrefix(Self.reserved) else {
            throw LatticeError(.invalid, "names of streams that begin with '\(Self.reserved)' are the library's")
        }
        do throws(StreamLabelError) {
            self = try StreamLabel(name)
        } catch {
            throw LatticeError(.invalid, error.description)
        }
    }
}
