package import LatticeCore

/// The records of one person and mesh in one SQLite file, and everything derived from them.
///
/// Several processes may use one file at a time; SQLite's locks keep them apart. A read-only file can still be read, and every
/// write throws `readOnly`.
package final class Store: Sendable {
    package static let version = Schema.version

    let access: PersonaAccess

    /// Opens the file, and creates it if it is missing.
    ///
    /// - Parameter fileInterval: how often the writer checks that the file is still the one at its path.
    /// - Throws: `StoreError`
    package init(
        path: String, owner: PeerID, quota: StoreQuota = StoreQuota(), fileInterval: Duration = .seconds(1)
    ) throws(StoreError) {
        let file = try DatabaseFile(path: path, owner: owner, quota: quota, fileInterval: fileInterval)
        access = PersonaAccess(file: file, author: owner, blocked: file.blocked)
    }

    private init(_ access: PersonaAccess) {
        self.access = access
    }

    /// The same file on behalf of another persona.
    package func of(_ author: PeerID) -> Store {
        let blocked = author == owner ? access.file.blocked : BlockedAuthors()
        return Store(PersonaAccess(file: access.file, author: author, blocked: blocked))
    }

    package var path: String { access.file.path }
    /// The owner, who is notified of what others do to their items.
    package var owner: PeerID { access.owner }
    /// The persona for whom private messages and private rooms are read and written: the owner, unless the store was made by
    /// `of`.
    package var author: PeerID { access.author }
    package var quota: StoreQuota { access.file.quota }
    package var isReadOnly: Bool { access.file.isReadOnly }

    /// Writes all queued jobs and closes the file; later requests fail. The log is merged into the file, unless another process
    /// still needs it.
    package func close() throws(StoreError) {
        try access.file.close()
    }

    package var blobs: BlobTable { BlobTable(access: access) }
    package var cards: CardTable { CardTable(access: access) }
    package var catalogue: CatalogueReader { CatalogueReader(access: access) }
    /// Marks that a visitor made on people.
    package var contacts: ContactTable { ContactTable(access: access) }
    package var crossings: CrossingTable { CrossingTable(access: access) }
    package var downloads: DownloadTable { DownloadTable(access: access) }
    /// Posts that this persona has written and not published.
    package var drafts: DraftTable { DraftTable(access: access) }
    /// What was stored, in the order in which it was, for programs that copy it.
    package var feed: FeedReader { FeedReader(access: access) }
    package var history: HistoryReader { HistoryReader(access: access) }
    package var items: ItemFinder { ItemFinder(access: access) }
    package var lines: LineSearch { LineSearch(access: access) }
    package var messages: PrivateMessageTable { PrivateMessageTable(access: access) }
    package var notifications: NotificationTable { NotificationTable(access: access) }
    package var outbox: OutboxTable { OutboxTable(access: access) }
    package var people: PeopleReader { PeopleReader(access: access) }
    package var manifests: ManifestReader { ManifestReader(access: access) }
    package var sealedFiles: SealedFileReader { SealedFileReader(access: access) }
    package var photos: PhotoReader { PhotoReader(access: access) }
    package var pins: PinReader { PinReader(access: access) }
    package var prekeys: PrekeyTable { PrekeyTable(access: access) }
    package var reading: ReadPositionTable { ReadPositionTable(access: access) }
    package var reconciling: ReconcileTable { ReconcileTable(access: access) }
    package var restoration: StoreRestoration { StoreRestoration(access: access) }
    package var rooms: PrivateRoomTable { PrivateRoomTable(access: access) }
    package var timeline: TimelineReader { TimelineReader(access: access) }
    /// What visitors used of the current day.
    package var visitorDays: VisitorDayTable { VisitorDayTable(access: access) }
    package var events: EventReader { EventReader(access: access) }
    package var places: PlaceReader { PlaceReader(access: access) }
    package var urgent: UrgentTable { UrgentTable(access: access) }
    package var upkeep: StoreUpkeep { StoreUpkeep(access: access) }
}
