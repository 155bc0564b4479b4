struct StreamFault: Error, Hashable, Sendable {
    /// `nil` if there is no stream of that number.
    let end: StreamEnd?
    /// The program had already ended this direction.
    let isWritten: Bool

    init(end: StreamEnd?) {
        (self.end, isWritten) = (end, false)
    }

    init(isWritten: Bool) {
        (end, self.isWritten) = (nil, isWritten)
    }
}
