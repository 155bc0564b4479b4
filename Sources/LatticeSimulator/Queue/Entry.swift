/// One thing that is to happen: twelve bytes without a reference, so that a queue of millions is moved about for nothing.
/// What does not fit lies in a pool, under the number given here.
struct Entry: Hashable {
    enum Kind: UInt8 {
        /// `payload`: the number of the weather.
        case weather
        /// For a peer itself; `subject`: the peer, `payload`: a slot of `World.errands`.
        case errand
        /// Over a connection; `subject`: the link of whoever receives it, `payload`: a slot of `World.letters`.
        case letter
        /// A record over a connection; `subject`: the link of whoever receives it, `payload`: the number of the record.
        case heard
        /// `subject`: the peer, `payload`: its instance.
        case woke
        /// A dial has come to its end; `payload`: a slot of `World.diallings`.
        case opened
        /// A hostile peer acts unasked; `subject`: the peer, `payload`: its instance.
        case mischief
        /// A store is to do something; `subject`: the peer, `payload`: a slot of `World.storeErrands`.
        case store
        /// The judges look at everybody.
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
