package import LatticeCore
package import LatticeWire
import OrderedCollections

// Blobs that are kept for others.
extension BlobExchange {
    /// Whether a blob was offered on this link, so that its neighbour may ask for it.
    package func wasOffered(_ name: BlobName, on link: LinkID) -> Bool { links[link]?.wasOffered(name) ?? false }

    mutating func offer(_ name: BlobName, to targets: [LinkID], at now: Instant, into effects: inout [Effect]) {
        for link in targets {
            links[link]?.offer(name, at: now)
            sendOffers(on: link, at: now, into: &effects)
        }
    }

    mutating func sendOffers(on link: LinkID, at now: Instant, into effects: inout [Effect]) {
        for name in links[link]?.nextOffers(at: now) ?? [] { effects.append(.send(.holds(.offer(name)), to: link)) }
    }

    /// A neighbour offers a blob. What comes too fast is dropped.
    mutating func offered(_ name: BlobName, on link: LinkID, at now: Instant, into effects: inout [Effect]) {
        guard links[link]?.offersIn.take(of: BlobLimit.offers, at: now) ?? false else { return }
        switch wants[name]?.purpose {
        case .whole, .keeping: ask(link, for: name, hops: 0, at: now, into: &effects)
        case .passing, nil: effects.append(.offered(name, from: link))
        }
    }

    mutating func taken(
        _ name: BlobName, _ have: PieceSet, from link: LinkID, at now: Instant, into effects: inout [Effect]
    ) {
        if let want = wants[name] {
            wants[name]?.found(have)
            if want.asker != nil { wants[name]?.wantAll(.keeping) }
        } else {
            let keeping = wants.values.count { $0.purpose == .keeping }
            guard keeping < BlobLimit.keepingMax, wants.count < BlobLimit.wantsMax else {
                return effects.append(.dropped(name))
            }
            wants[name] = BlobWant(name, .keeping, have: have)
        }
        if wants[name]?.purpose == .keeping {
            wants[name]?.idleSince = now
            wants[name]?.isIdle = false
        }
        ask(link, for: name, hops: 0, at: now, into: &effects)
        fetch(name, at: now, into: &effects)
    }
}
