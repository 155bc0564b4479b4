// The store: its size, its rule for keeping records, and bundles of signed records.

package struct ShowStoreStats: Request {
    package static let name = "wall.storeStats"
    package static let replyName = "wall.stats"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = StoreStats

    package init() {}
}

/// Reads everything and reports what is wrong.
package struct CheckStore: Request {
    package static let name = "wall.storeCheck"
    package static let replyName = "wall.check"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = StoreCheck

    package init() {}
}

/// Derives everything anew from the signed records. A damaged store that no other process has open is replaced by a new
/// file with every record that verifies.
package struct RebuildStore: Request {
    package static let name = "wall.storeRebuild"
    package static let replyName = "wall.rebuilt"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = StoreRebuild

    package init() {}
}

/// Returns unused space to the file system.
package struct VacuumStore: Request {
    package static let name = "wall.storeVacuum"
    package static let replyName = "wall.vacuumed"
    package static let traits: RequestTraits = [.repeatable]

    package init() {}

    /// The size of the file, in bytes.
    package struct Reply: Hashable, Codable, Sendable {
        package let before: Int
        package let after: Int

        package init(before: Int, after: Int) {
            (self.before, self.after) = (before, after)
        }
    }
}

/// The rule for which records of others this machine stores.
package struct ShowKeepRule: Request {
    package static let name = "wall.keepRule"
    package static let replyName = "wall.keepRule"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = KeepRule

    package init() {}
}

/// Replaces the rule.
package struct SetKeepRule: Request {
    package static let name = "wall.setKeepRule"
    package static let replyName = "wall.keepRule"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = KeepRule

    package let rule: KeepRule

    package init(_ rule: KeepRule) { self.rule = rule }

    package init(from decoder: any Decoder) throws { self.init(try KeepRule(from: decoder)) }

    package func encode(to encoder: any Encoder) throws { try rule.encode(to: encoder) }
}

/// Writes signed records to a file that another store can read.
package struct ExportBundle: Request {
    package static let name = "wall.exportBundle"
    package static let replyName = "wall.exported"

    package let path: String
    package let selection: BundleSelection

    package init(path: String, _ selection: BundleSelection = BundleSelection()) {
        (self.path, self.selection) = (path, selection)
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            path: try fields.decode(String.self, forKey: .path),
            try fields.decodeIfPresent(BundleSelection.self, forKey: .selection) ?? BundleSelection())
    }

    package struct Reply: Hashable, Codable, Sendable {
        package let records: Int
        package let bytes: Int

        package init(records: Int, bytes: Int) {
            (self.records, self.bytes) = (records, bytes)
        }
    }
}

/// Reads a bundle; every record is verified.
package struct ImportBundle: Request {
    package static let name = "wall.importBundle"
    package static let replyName = "wall.imported"
    package typealias Reply = ImportReport

    package let path: String

    package init(path: String) { self.path = path }
}
