import LatticeCore

/// The limits of datagrams, each with its reason. All are guesses for positions at 60 Hz on a shared Wi-Fi network.
package enum DatagramLimit {
    /// After this long a datagram says nothing new. In milliseconds, over all peers on its way.
    package static let ageMax: UInt32 = 500
    /// KiB that a relay takes from one origin over one link: 64 of the longest datagrams a second.
    static let originRate = TokenBucket.Rate(perSecond: 512, burst: 512)
    /// KiB that a relay takes over one link, however many origins its neighbour names.
    static let linkRate = TokenBucket.Rate(perSecond: 2_048, burst: 2_048)
    /// Origins that are measured for one link. More are refused until one of them was quiet for a second.
    static let originsMax = 64

    static func cost(of octets: [UInt8]) -> Int64 { Int64(max(1, (octets.count + 1_023) / 1_024)) }
}
