import LatticeAPI
import LatticeCore
import LatticeNode

extension ServingNode {
    /// Opens a stream.
    ///
    /// After the loss of a link the mesh may know no way to a peer until that peer says something. A probe goes all ways, and
    /// its answer shows one.
    ///
    /// - Parameter wait: how long to try if the peer is away or takes no stream.
    nonisolated(nonsending) func open(
        _ peer: LatticeCore.PeerID, for label: StreamLabel, wait: Duration
    ) async throws(LatticeError) -> StreamInfo {
        let reference = PeerReference(peer)
        if wait > .zero {
            do throws(RequestError) {
                return try await node.perform(OpenStream(reference, label: label, wait: .zero))
            } catch {
                guard error.code.mayPass else { throw LatticeError(error) }
                if error.code == .noRoute { await probe(reference) }
            }
        }
        return try await perform(OpenStream(reference, label: label, wait: wait))
    }

    private nonisolated(nonsending) func probe(_ peer: PeerReference) async {
        do throws(RequestError) {
            _ = try await node.perform(ProbePeer(peer))
        } catch {
            // There is no way, which the next attempt reports.
        }
    }
}
