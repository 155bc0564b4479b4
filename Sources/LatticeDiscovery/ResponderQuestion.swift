/// Whether the machine's mDNS responder answers programs; asked once, changing nothing.
package enum ResponderQuestion {
    package enum Answer: Hashable, Sendable {
        case answered
        case absent
        /// The text says why.
        case refused(String)
    }

    /// Blocks the calling thread: fractions of a millisecond without a message bus, up to half a minute if a responder
    /// hangs.
    package static func ask() -> Answer {
        SystemResponder.prepareLibrary()
        do throws(DNSServiceError) {
            _ = try DNSServiceCall.browse(interface: 0)
            return .answered
        } catch {
            return error.isAbsence ? .absent : .refused(error.reason)
        }
    }
}
