import Foundation

extension LibraryBench {
    /// Its loopback carries packets as long as those of Ethernet, one at a time, and loses some on their way in.
    private static let namespace = #"""
        ip link set lo mtu 1500 gso_max_segs 1 up
        nft "table netdev loss {
            chain in { type filter hook ingress device \"lo\" priority 0; numgen random mod 100 < $0 drop; }
        }"
        exec "$@"
        """#

    /// Sends reliable messages in a network namespace of its own.
    func lossily() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        let again = [
            "library", "--is-lossy", "--loss", "\(loss)", "--rounds", "\(rounds)", "--count", "\(count)", "--megabytes",
            "\(megabytes)",
        ]
        process.arguments =
            ["unshare", "--net", "sh", "-ec", Self.namespace, "\(loss)", "/proc/\(getpid())/exe"] + again
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw BenchError("no packets can be lost here: that takes root, iproute2 and nft; see --loss")
        }
    }
}
