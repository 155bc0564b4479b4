import LatticeCore
import LatticeDiscovery

/// Lets others find a session, and takes their invitations. A session has one at a time.
///
/// ```swift
/// let advertiser = try Advertiser(session, discoveryInfo: ["game": "chess"])
/// for try await invitation in advertiser.invitations { try await invitation.accept() }
/// ```
public final class Advertiser: Sendable {
    fileprivate let session: Session

    /// - Parameters:
    ///   - session: who is found. It may run already, or later.
    ///   - discoveryInfo: what others read before they invite. Each key has 1–32 ASCII letters, digits, `.`, `-` or `_`, and
    ///     is not `txtvers`, `id`, `mesh` or `v`; a key with its value has at most 255 bytes of UTF-8, and all together,
    ///     with 2 bytes more for each, at most 400. Everybody near can read it, in a mesh with a passphrase, too.
    /// - Throws: ``LatticeError/Code/invalid`` for an info that breaks these rules; ``LatticeError/Code/busy`` if the session
    ///   has an advertiser.
    public init(_ session: Session, discoveryInfo: [String: String] = [:]) throws(LatticeError) {
        let info = try DiscoveryInfo(ofApp: discoveryInfo)
        guard session.nearby.change({ $0.takeAdvertiser(info) }) else {
            throw LatticeError(.busy, "a session has one advertiser at a time")
        }
        self.session = session
    }

    deinit {
        session.nearby.change { $0.dropAdvertiser() }
    }

    /// Replaces what others read; those who look learn of it within seconds.
    ///
    /// - Throws: ``LatticeError/Code/invalid``, as ``init(_:discoveryInfo:)``.
    public func update(discoveryInfo: [String: String]) throws(LatticeError) {
        let info = try DiscoveryInfo(ofApp: discoveryInfo)
        session.nearby.change { $0.inform(info) }
    }

    /// The invitations that come under ``Configuration/Invitations/ask``. One reader at a time; a second one stops the
    /// program.
    ///
    /// With ``Configuration/Discovery/manual`` the session is announced from the first `next()` until the iterator is gone
    /// or its task is cancelled. 16 invitations wait to be taken; further ones are refused as
    /// ``Invitation/Refusal/busy``.
    public var invitations: Invitations { Invitations(advertiser: self) }

    /// Invitations in the order in which they came. They end with ``Session/run()``.
    public struct Invitations: AsyncSequence, Sendable {
        /// One invitation to answer.
        public typealias Element = Invitation
        /// ``LatticeError/Code/network`` if mDNS does not work here, told once; another `next()` waits for it to work. The error
        /// of ``Session/run()`` if it failed, or ``LatticeError/Code/closed``, before the session ran.
        public typealias Failure = LatticeError

        fileprivate let advertiser: Advertiser

        /// Begins with the oldest invitation that waits.
        public func makeAsyncIterator() -> Iterator { Iterator(advertiser: advertiser) }

        /// Takes one invitation after the other.
        public struct Iterator: AsyncIteratorProtocol {
            /// Its info is announced for as long as somebody reads.
            fileprivate let advertiser: Advertiser
            private var lease: NearbyLease?
            private var trouble: String?

            fileprivate init(advertiser: Advertiser) {
                self.advertiser = advertiser
            }

            /// - Returns: `nil` after the end of the session, or when the task is cancelled; no invitation is lost by that.
            nonisolated(nonsending) public mutating func next() async throws(LatticeError) -> Invitation? {
                let session = advertiser.session
                let board = session.nearby
                board.change { $0.beginReading() }
                defer { board.change { $0.endReading() } }
                if lease == nil { lease = NearbyLease(.announcing, on: board) }
                guard let running = try await session.runningOrOver() else {
                    lease = nil
                    return nil
                }
                let trouble = trouble
                switch await board.first({ $0.nextInvitation { $0 != trouble } }) {
                case .element(let asked): return Invitation(asked, running, session.board)
                case .trouble(let reason):
                    self.trouble = reason
                    throw LatticeError(.network, reason)
                case .over, nil:
                    lease = nil
                    return nil
                }
            }

            /// - Returns: `nil` after the end of the session, or when the task is cancelled; no invitation is lost by that.
            public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws(LatticeError) -> Invitation? {
                try await next()
            }
        }
    }
}

extension Session {
    /// - Returns: `nil` if the task was cancelled, or the session has run and ended.
    nonisolated(nonsending) func runningOrOver() async throws(LatticeError) -> ServingNode? {
        do throws(LatticeError) {
            return try await running()
        } catch {
            if error.code == .cancelled || (error.code == .closed && nearby.read(\.isOver) && hasRun) { return nil }
            throw error
        }
    }

    private var hasRun: Bool { life.read(\.hasRun) }
}

extension DiscoveryInfo {
    fileprivate init(ofApp info: [String: String]) throws(LatticeError) {
        do throws(DiscoveryInfo.Fault) {
            try self.init(info.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" })
        } catch {
            throw LatticeError(.invalid, error.description)
        }
        // A key with an equals sign would become a shorter key.
        guard info.keys.allSatisfy({ !$0.contains("=") }) else {
            throw LatticeError(.invalid, "a key of the discovery info has no equals sign")
        }
    }
}
