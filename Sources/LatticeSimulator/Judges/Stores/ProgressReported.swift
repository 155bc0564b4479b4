/// No peer claims to be caught up while it knows of missing records.
struct ProgressReported {
    private(set) var list = FaultList(of: "progress told")

    mutating func claimed(caughtUpLacking record: Int, of other: Int, by peer: Int, at time: Int64) {
        list.add("says it is caught up and lacks r\(record), which peer \(other) has", at: time, peer: peer)
    }
}
