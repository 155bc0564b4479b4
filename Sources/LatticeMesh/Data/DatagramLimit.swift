import LatticeCore
import LatticeWire

/// The limits of datagrams, each with its reason. All are guesses for positions at 60 Hz on a shared Wi-Fi network.
enum DatagramLimit {
    /// KiB that a relay takes from one origin over one link: 64 of the longest datagrams a second.
    static let originRate = TokenBucket.Rate(perSecond: 512, burst: 512)
    /// KiB that a relay takes over one link, however many origins its neighbour names.
    static let linkRate = TokenBucket.Rate(perSecond: 2_048, burst: 2_048)
    /// Origins that are measured for one link. More are refused until one of them has its whole rate back: a second after it has
    /// used all of it, two milliseconds after 1 KiB.
    static let originsMax = 64

    /// KiB of what the program gave, one at least.
    static func cost(ofSealed octets: [UInt8]) -> Int64 {
        Int64(max(1, (octets.count - DatagramFrame.tagBytes + 1_023) / 1_024))
    }
}
