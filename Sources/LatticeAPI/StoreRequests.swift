// The store: its size, its rule for keeping records, and bundles of signed records.

package struct ShowStoreStats: Request {
    package static let name = "store.stats"
    package static let replyName = "store.stats"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = StoreStats

    package init() {}
}

/// Reads everything and reports what is wrong.
package struct CheckStore: Request {
    package static let name = "store.check"
    package static let replyName = "store.check"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = StoreCheck

    package init() {}
}

/// Derives everything anew from the signed records. A damaged store that no other process has open is replaced by a new
/// file with every record that verifies.
package struct RebuildStore: Request {
    package static let name = "store.rebuild"
    package static let replyName = "store.rebuilt"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = StoreRebuild

    package init() {}
}

/// Returns unused space to the file system.
package struct VacuumStore: Request {
    package static let name = "store.vacuum"
    package static let replyName = "store.vacuumed"
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
package struct ShowRetention: Request {
    package static let name = "store.retention"
    package static let replyName = "store.retention"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = RetentionRule

    package init() {}
}

package struct SetRetention: Request {
    package static let name = "store.setRetention"
    package static let replyName = "store.retention"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = RetentionRule

    package let rule: RetentionRule

    package init(_ rule: RetentionRule) { self.rule = rule }

    package init(from decoder: any Decoder) throws { self.init(try RetentionRule(from: decoder)) }

    package func encode(to encoder: any Encoder) throws { try rule.encode(to: encoder) }
}

/// Writes signed records to a file that another store can read.
package struct ExportBundle: Request {
    package static let name = "store.exportBundle"
    package static let replyName = "store.exported"

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
    package static let name = "store.importBundle"
    package static let replyName = "store.imported"
    package typealias Reply = ImportReport

    package let path: String

    package init(path: String) { self.path = path }
}
