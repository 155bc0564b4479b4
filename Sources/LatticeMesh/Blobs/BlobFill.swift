import OrderedCollections

/// How full a table of a machine is.
package struct BlobFill: Hashable, Sendable {
    package let name: String
    package let count: Int
    package let countMax: Int

    package init(name: String, count: Int, countMax: Int) {
        (self.name, self.count, self.countMax) = (name, count, countMax)
    }
}

extension BlobFill {
    /// The tables that strangers can fill; of those that each link has, the fullest.
    package static func tables(of exchange: BlobExchange) -> [BlobFill] {
        let (wants, links) = (exchange.wants.values, exchange.links.values)
        func most(_ count: (BlobLink) -> Int) -> Int { links.reduce(0) { max($0, count($1)) } }
        func wanted(_ purpose: BlobWant.Purpose) -> Int { wants.count { $0.purpose == purpose } }
        let arrivedMax = BlobLimit.arrivedMax + links.count * BlobPace.most
        return [
            BlobFill(name: "wanted", count: wanted(.whole), countMax: BlobLimit.wantsMax),
            BlobFill(name: "passing", count: wants.count { $0.asker != nil }, countMax: BlobLimit.passingMax),
            BlobFill(name: "kept for others", count: wanted(.keeping), countMax: BlobLimit.keepingMax),
            BlobFill(name: "looked for", count: exchange.sought.count, countMax: BlobLimit.soughtMax),
            BlobFill(name: "standings", count: exchange.standings.count, countMax: BlobLimit.standingsMax),
            BlobFill(name: "own asks", count: most(\.asksOut.count), countMax: BlobLimit.asksMax),
            BlobFill(name: "asks of others", count: most(\.asksIn.count), countMax: BlobLimit.asksMax),
            BlobFill(name: "pieces to give", count: most(\.waitingCount), countMax: BlobLimit.waitingOfLinkMax),
            BlobFill(name: "offers", count: most(\.offerCount), countMax: BlobLimit.offersMax),
            BlobFill(name: "pieces to check", count: exchange.arrivedCount, countMax: arrivedMax),
        ]
    }
}
