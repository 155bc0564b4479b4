package import LatticeCore
package import LatticeDiscovery

/// Collects lattice nodes from mDNS replies. Strangers provide the data, so everything is bounded.
package struct SightingCollector: Sendable {
    static let service = DNSName(text: "_lattice._tcp.local")
    /// A guess: nobody reads more.
    package static let instancesMax = 64
    private static let hostsMax = 64
    private static let addressesMax = 4
    private static let othersMax = 256

    private struct Place: Hashable {
        let host: DNSName
        let port: UInt16
    }

    package init() {}

    private var instances: [DNSName] = []
    private var places: [DNSName: Place] = [:]
    private var texts: [DNSName: TXTRecord] = [:]
    private var hosts: [DNSName: [String]] = [:]
    private var others: Set<String> = []

    /// Other machines that sent anything at all.
    package var othersHeard: Int {
        // Most have an address of each family.
        let v6 = others.count { $0.contains(":") }
        return max(v6, others.count - v6)
    }

    /// - Parameters:
    ///   - source: the sender's address.
    ///   - scope: the receiving interface, for link-local addresses.
    ///   - isOwn: whether the sender is this machine.
    package mutating func heard(_ message: DNSMessage, from source: String, scope: String, isOwn: Bool) {
        if !isOwn, others.count < Self.othersMax { others.insert(source) }
        guard message.isResponse else { return }
        for record in message.records { take(record, scope: scope) }
    }

    private mutating func take(_ record: DNSMessage.Record, scope: String) {
        switch record.data {
        case .pointer(let instance):
            guard record.name == Self.service, instance.parent == Self.service, !instances.contains(instance),
                instances.count < Self.instancesMax
            else { return }
            instances.append(instance)
        case .service(let host, let port):
            guard record.name.parent == Self.service, places.count < Self.instancesMax, port > 0 else { return }
            places[record.name] = Place(host: host, port: port)
        case .text(let bytes):
            guard record.name.parent == Self.service, texts.count < Self.instancesMax else { return }
            texts[record.name] = TXTRecord(parsing: bytes)
        case .address(let bytes):
            guard let text = InterfaceReader.text(ofAddress: bytes) else { return }
            let address = text.hasPrefix("fe80:") ? "\(text)%\(scope)" : text
            var known = hosts[record.name] ?? []
            guard known.isEmpty ? hosts.count < Self.hostsMax : known.count < Self.addressesMax,
                !known.contains(address)
            else { return }
            known.append(address)
            hosts[record.name] = known
        }
    }

    /// Queries for what is still missing.
    package var questions: [(DNSName, DNSRecordType)] {
        var questions: [(DNSName, DNSRecordType)] = [(Self.service, .ptr)]
        for instance in instances {
            guard questions.count < 16 else { break }
            if let place = places[instance] {
                if hosts[place.host] == nil { questions += [(place.host, .a), (place.host, .aaaa)] }
            } else {
                questions.append((instance, .srv))
            }
            if texts[instance] == nil { questions.append((instance, .txt)) }
        }
        return questions
    }

    /// All announced nodes in the order in which they were heard. A node whose early announcement is still visible is
    /// listed once.
    ///
    /// - Parameter isOwn: whether an id and addresses are those of this person's node.
    package func sightings(isOwn: (PeerPrefix?, [PeerAddress]) -> Bool) -> [SightedPeer] {
        let all = instances.map { (label: $0.first, sighting: sighting(of: $0, isOwn: isOwn)) }
        let lasting = all.filter { $0.label == $0.sighting.name }.map(\.sighting)
        return all.filter { label, sighting in
            label == sighting.name
                || !lasting.contains { $0.prefix == sighting.prefix && $0.addresses == sighting.addresses }
        }.map(\.sighting)
    }

    private func sighting(of instance: DNSName, isOwn: (PeerPrefix?, [PeerAddress]) -> Bool) -> SightedPeer {
        let place = places[instance]
        let found = place.flatMap { hosts[$0.host] } ?? []
        // IPv4 first, link-local last.
        let ordered =
            found.filter { !$0.contains(":") } + found.filter { $0.contains(":") && !$0.contains("%") }
            + found.filter { $0.contains("%") }
        let addresses = ordered.map { PeerAddress(host: $0, port: place?.port ?? 0) }
        let txt = texts[instance]
        let prefix = txt?.value("id").flatMap { PeerPrefix(hex: $0) }
        return SightedPeer(
            name: prefix.map { EarlyAnnouncement.name(instance.first, of: $0) } ?? instance.first, prefix: prefix,
            meshTag: txt?.value("mesh").flatMap { $0.utf8.count == 8 ? UInt32($0, radix: 16) : nil },
            versions: (txt?.value("v") ?? "").split(separator: ",").prefix(16).compactMap { Int($0) },
            addresses: addresses, info: txt?.info ?? DiscoveryInfo(), isOwn: isOwn(prefix, addresses))
    }
}

extension TXTRecord {
    fileprivate func value(_ key: String) -> String? {
        entry(key)?.value.flatMap { String(validating: $0, as: UTF8.self) }
    }
}
