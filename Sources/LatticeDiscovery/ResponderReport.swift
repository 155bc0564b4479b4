/// What the thread behind a source reports.
enum ResponderReport: Hashable, Sendable {
    /// There is no daemon. It is looked for again from time to time.
    case absent
    /// The daemon is there; to be announced takes a second more.
    case answered
    /// Advertised under this label, and browsing.
    case running(label: String)
    /// What was announced and browsed for is gone; it is tried again.
    case stopped
    /// The other side answered with an error; it is tried again.
    case refused(String)
    case seen(ServiceInstance, InstanceAnswer)
    case gone(ServiceInstance)
    /// More instances are announced than we look at.
    case crowded
}

/// How a responder's thread reports; never waits.
typealias Reporting = @Sendable (ResponderReport) -> Void
