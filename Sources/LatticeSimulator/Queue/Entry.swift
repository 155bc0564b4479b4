/// One future event: twelve bytes without a reference, so that moving millions of them is cheap. Larger data is in a
/// pool, under the number given here.
struct Entry: Hashable {
    enum Kind: UInt8 {
        /// `payload`: the number of the weather.
        case weather
        /// For one peer; `subject`: the peer, `payload`: a slot of a pool of `Schedule`.
        case errand
        /// Over a connection; `subject`: the receiver's link, `payload`: a slot of a pool.
        case delivery
        /// A record over a connection; `subject`: the receiver's link, `payload`: the number of the record.
        case heard
        /// `subject`: the peer, `payload`: its instance.
        case woke
        /// A dial has ended; `payload`: a slot of a pool.
        case opened
        /// A hostile peer acts unsolicited; `subject`: the peer, `payload`: its instance.
        case mischief
        /// Work of a store; `subject`: the peer, `payload`: a slot of a pool.
        case store
        /// The socket of a link takes more; `subject`: the receiver's link.
        case writable
        /// The judges inspect all peers.
        case inspection
    }

    let kind: Kind
    var timeToLive: UInt8 = 0
    var hops: UInt8 = 0
    var isStray = false
    let subject: UInt32
    let payload: UInt32

    init(_ kind: Kind, subject: Int = 0, payload: Int = 0) {
        self.kind = kind
        self.subject = UInt32(truncatingIfNeeded: subject)
        self.payload = UInt32(truncatingIfNeeded: payload)
    }
}
