/// Whether the machine's mDNS responder answers programs; asked once, changing nothing.
package enum ResponderQuestion {
    package enum Answer: Hashable, Sendable {
        case answered
        case absent
        /// The text says why.
        case refused(String)
    }

    /// Waits on the thread that calls it: fractions of a millisecond without a message bus, and up to half a minute where a responder
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
