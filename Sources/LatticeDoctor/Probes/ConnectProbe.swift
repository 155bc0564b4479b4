import Glibc
import LatticeCore
import LatticeDiscovery

/// Tests whether addresses accept TCP connections. Sends nothing, and closes each connection at once.
enum ConnectProbe {
    /// Enough for the peers in a room at two addresses each.
    static let addressesMax = 32
    /// The kernel sends three ARP requests, a second apart, before it gives up on a local machine (arp(7)).
    static let patience: Duration = .milliseconds(3_500)

    /// For a stale entry the kernel waits 5 s, then sends requests for 3 s (arp(7)).
    static let doubtTime: Duration = .seconds(9)
    private static let lookMilliseconds: UInt32 = 250

    private enum Attempt {
        case over(Reach.Outcome, [UInt8])
        case underway(Int32, [UInt8])
    }

    /// Blocks the calling thread for `patience` plus the time to resolve names, and `doubtTime` longer if the kernel
    /// does not know yet whether a silent machine is there.
    static func run(_ addresses: [PeerAddress]) -> [Reach] {
        let wanted = Array(addresses.prefix(addressesMax))
        var attempts = wanted.map(begin)
        let end = MonotonicClock.now().advanced(by: patience)
        while wait(&attempts, until: end) {}
        for (index, attempt) in attempts.enumerated() {
            guard case .underway(let descriptor, let bytes) = attempt else { continue }
            close(descriptor)
            attempts[index] = .over(.silent, bytes)
        }
        let silent = attempts.compactMap { attempt -> [UInt8]? in
            if case .over(.silent, let bytes) = attempt { bytes } else { nil }
        }
        let neighbours = settledNeighbours(silent)
        return zip(wanted, attempts).map { address, attempt in
            guard case .over(let outcome, let bytes) = attempt else { preconditionFailure("every attempt is over") }
            let neighbour = neighbours.first { $0.address == bytes }
            return Reach(
                address: address, outcome: outcome, isNeighbour: neighbour?.isThere, isLocal: neighbour != nil)
        }
    }

    private static func settledNeighbours(_ silent: [[UInt8]]) -> [Netlink.Neighbour] {
        let end = MonotonicClock.now().advanced(by: doubtTime)
        while true {
            let neighbours = Netlink.neighbours()
            let isInDoubt = neighbours.contains { $0.isThere == nil && silent.contains($0.address) }
            guard isInDoubt, MonotonicClock.now() < end else { return neighbours }
            usleep(lookMilliseconds * 1_000)
        }
    }

    // Safety: structures are lent to the system for the length of a call, with the sizes that it gave itself; the list of
    // getaddrinfo(3) is read between that call and freeaddrinfo(3).
    private static func begin(_ address: PeerAddress) -> Attempt {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(address.host, String(address.port), &hints, &list) == 0, let first = list?.pointee else {
            return .over(.unknownName, [])
        }
        defer { freeaddrinfo(list) }
        let bytes = raw(first)
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(first.ai_family, kind, 0)
        guard descriptor >= 0 else { return .over(outcome(of: errno), bytes) }
        if connectOnceReady(descriptor, first) {
            close(descriptor)
            return .over(.open, bytes)
        }
        guard errno == EINPROGRESS else {
            let code = errno
            close(descriptor)
            return .over(outcome(of: code), bytes)
        }
        return .underway(descriptor, bytes)
    }

    /// After a network comes up, an IPv6 address is unusable for 1 to 2 s while duplicate address detection runs (RFC
    /// 4862, section 5.4).
    private static func connectOnceReady(_ descriptor: Int32, _ info: addrinfo) -> Bool {
        let end = MonotonicClock.now().advanced(by: patience)
        while true {
            if connect(descriptor, info.ai_addr, info.ai_addrlen) == 0 { return true }
            guard errno == EADDRNOTAVAIL, MonotonicClock.now() < end else { return false }
            usleep(lookMilliseconds * 1_000)
        }
    }

    private static func raw(_ info: addrinfo) -> [UInt8] {
        guard let address = info.ai_addr else { return [] }
        let all = Array(UnsafeRawBufferPointer(start: UnsafeRawPointer(address), count: Int(info.ai_addrlen)))
        return info.ai_family == AF_INET6 ? Array(all.dropFirst(8).prefix(16)) : Array(all.dropFirst(4).prefix(4))
    }

    /// - Returns: whether there is more to wait for.
    private static func wait(_ attempts: inout [Attempt], until end: Instant) -> Bool {
        var open: [(index: Int, descriptor: Int32, bytes: [UInt8])] = []
        for (index, attempt) in attempts.enumerated() {
            if case .underway(let descriptor, let bytes) = attempt { open.append((index, descriptor, bytes)) }
        }
        let now = MonotonicClock.now()
        guard !open.isEmpty, now < end else { return false }
        var polled = open.map { pollfd(fd: $0.descriptor, events: Int16(POLLOUT), revents: 0) }
        guard poll(&polled, nfds_t(polled.count), MonotonicClock.milliseconds(until: end, from: now)) > 0 else {
            return errno == EINTR
        }
        for (one, result) in zip(open, polled) where result.revents != 0 {
            attempts[one.index] = .over(answer(of: one.descriptor), one.bytes)
            close(one.descriptor)
        }
        return true
    }

    /// A refusal at once comes from this machine; a later one is an answer from the network.
    private static func answer(of descriptor: Int32) -> Reach.Outcome {
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        let told = getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length) == 0 ? code : errno
        if case .forbidden(let text) = outcome(of: told) { return .noWay(text) }
        return outcome(of: told)
    }

    private static func outcome(of code: Int32) -> Reach.Outcome {
        switch code {
        case 0: .open
        case ECONNREFUSED, ECONNRESET: .closed
        case ETIMEDOUT: .silent
        case EACCES, EPERM: .forbidden(SocketFault(code).text)
        default: .noWay(SocketFault(code).text)
        }
    }
}
