/// No record is fetched again and again.
struct FetchedOnce {
    private(set) var list = FaultList(of: "fetched once")

    /// Copies of one record that honest peers may supply to one in one life of it: one, and further ones where a frame was lost, an
    /// answer came too late, or the store had no room.
    static let copiesMax = 8

    mutating func supplied(_ copies: Int, record: Int, to peer: Int, at time: Int64) {
        guard copies > Self.copiesMax else { return }
        list.add("was supplied r\(record) for the \(copies)th time", at: time, peer: peer)
    }
}
