import LatticeCore
import LatticeCrypto
import LatticeDiscovery
import LatticeLink
import LatticeNode
import LatticeSocket
import NIOCore

/// The machine of one session, as far as its network goes.
final class InMemoryHost: SubstituteNetwork {
    let network: InMemoryNetwork
    let number: Int

    init(network: InMemoryNetwork, number: Int) {
        (self.network, self.number) = (network, number)
    }

    var eventLoop: any EventLoop { network.eventLoop }
    var seed: UInt64 { network.read { $0.dice.meshSeed(of: number) } }
    var identity: Identity { network.read { $0.dice.identity(of: number) } }

    func listen(port: UInt16, as peer: PeerID) -> any CarrierPort {
        InMemoryPort(self, port: port, as: peer)
    }

    func finder(
        for advertisement: Advertisement, mode: DiscoveryMode, roles: DiscoveryRoles
    ) -> any PeerFinder {
        InMemoryFinder(self, advertisement, mode, roles)
    }
}

/// Where a host listens, and dials from.
final class InMemoryPort: CarrierPort {
    /// Every host has an address of its own, so they may all use the same port.
    private static let usualPort: UInt16 = 7_000
    /// Connections that nobody has accepted yet, as for TCP.
    private static let backlog = 256

    let port: UInt16
    private let host: InMemoryHost
    private let arrivals: AsyncStream<Arrival>

    init(_ host: InMemoryHost, port: UInt16, as peer: PeerID) {
        self.host = host
        self.port = port > 0 ? port : Self.usualPort
        let (arrivals, input) = AsyncStream<Arrival>.makeStream(bufferingPolicy: .bufferingOldest(Self.backlog))
        self.arrivals = arrivals
        let chosen = self.port
        host.network.read { $0.listen(host.number, as: peer, port: chosen, arrivals: input) }
    }

    deinit {
        stop()
    }

    var losesDatagram: (@Sendable (any Channel) -> Bool)? {
        { channel in
            guard let channel = channel as? InMemoryChannel else { preconditionFailure("it makes all its connections") }
            return channel.losesDatagram()
        }
    }

    func accept(_ serve: @escaping @Sendable (Arrival) async -> Void) async {
        await withDiscardingTaskGroup { group in
            for await arrival in arrivals { group.addTask { await serve(arrival) } }
        }
        stop()
    }

    func dial(_ address: PeerAddress, timeout: Duration) async throws(DialEnd) -> any Channel {
        let network = host.network
        let time = network.read { $0.dialTime(host.number, to: address, latency: network.latency) }
        let limit = timeout.nanoseconds
        let answer = network.eventLoop.makePromise(of: InMemoryChannel.self)
        let timer = network.eventLoop.scheduleTask(in: .nanoseconds(min(time, limit))) { [host] in
            guard time <= limit else {
                return answer.fail(DialEnd.noAnswer(seconds: timeout.components.seconds))
            }
            answer.completeWith(network.connect(from: host.number, to: address).mapError { $0 })
        }
        do {
            return try await withTaskCancellationHandler {
                try await answer.futureResult.get()
            } onCancel: {
                // On the loop a connection is either made and returned, or never made.
                network.eventLoop.execute {
                    timer.cancel()
                    answer.fail(CancellationError())
                }
            }
        } catch let error as DialEnd {
            throw error
        } catch {
            throw .noConnection(reason: "\(error)")
        }
    }

    private func stop() {
        // Not within the lock: a connection that ends takes it.
        host.network.read { $0.stopListening(host.number) }?.finish()
    }
}
