/// Unsent bytes that the kernel may hold for a link: as many as its pieces need, and fewer while it carries datagrams.
struct UnsentLimit {
    /// Without datagrams for this long, pieces get back what they need: about twice as long as a busy link keeps one waiting.
    static let quiet: Duration = .seconds(2)

    private let withDatagrams: Int
    private var wanted: Int
    /// `nil` unless there were some lately.
    private var lastDatagram: ContinuousClock.Instant?

    init(wanted: Int, withDatagrams: Int) {
        (self.wanted, self.withDatagrams) = (wanted, withDatagrams)
    }

    var bytes: Int { lastDatagram == nil ? wanted : min(wanted, withDatagrams) }

    /// - Parameter bytes: what pieces need from now on.
    mutating func want(_ bytes: Int) { wanted = bytes }

    /// Datagrams are written.
    ///
    /// - Returns: whether they are the first ones, so that `look` is due after `quiet`.
    mutating func carriesDatagrams(at now: ContinuousClock.Instant) -> Bool {
        defer { lastDatagram = now }
        return lastDatagram == nil
    }

    /// - Returns: after how long to look again; `nil` if there were no datagrams for `quiet`, which ends their time.
    mutating func look(at now: ContinuousClock.Instant) -> Duration? {
        guard let last = lastDatagram else { return nil }
        let left = Self.quiet - last.duration(to: now)
        guard left <= .zero else { return left }
        lastDatagram = nil
        return nil
    }
}
