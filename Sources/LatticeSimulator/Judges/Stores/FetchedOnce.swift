struct FetchedOnce {
    private(set) var list = FaultList(of: "fetched once")

    /// Copies of one record that honest peers may serve to one peer in one life: one, and more after a lost frame, a
    /// late reply or a store without free space.
    static let copiesMax = 8

    mutating func served(_ copies: Int, record: Int, to peer: Int, at time: Int64) {
        guard copies > Self.copiesMax else { return }
        list.add("was served r\(record) for the \(copies)th time", at: time, peer: peer)
    }
}
