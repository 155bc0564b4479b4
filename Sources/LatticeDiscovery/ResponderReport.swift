enum ResponderReport: Hashable, Sendable {
    /// There is no daemon. The thread looks for it again from time to time.
    case absent
    /// The daemon is there; being announced takes another second.
    case answered
    /// Advertised under this label, or without one only browsing.
    case running(label: String?)
    /// Announcements and browsing have ended; the thread tries again.
    case stopped
    /// The responder answered with an error; the thread tries again.
    case refused(String)
    case seen(ServiceInstance, InstanceAnswer)
    case gone(ServiceInstance)
    /// There are more announced instances than we look at.
    case crowded
}

/// Receives a report of a responder's thread; never waits.
typealias Reporting = @Sendable (ResponderReport) -> Void
