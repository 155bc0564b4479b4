import GRDB
package import LatticeCore
package import LatticeWire

/// The file of a private message is complete here, and its author does not know.
package struct OwedFile: Hashable, Sendable {
    let number: Int64
    /// The id that both people use for the line.
    package let line: RecordID
}

// Who has the files of private messages. Triggers on `blob` and `blob_use` note which are complete here.
extension PrivateMessageTable {
    /// Deletes an own message that is not sealed yet: nobody has it.
    package func removeUnsealed(_ number: Int64) async throws(StoreError) {
        let person = access.person
        try await access.commit {
            try $0.database.run(
                "DELETE FROM message WHERE number = ? AND person = ? AND mine = 1 AND record IS NULL",
                [.int(number), person])
        }
    }

    /// Files whose authors must be told that they are complete here, by author, oldest first; only of authors whose keys are
    /// stored.
    ///
    /// - Parameter limit: on files in total.
    package func filesOwed(at wallTime: WallTime, limit: Int) async throws(StoreError) -> [(
        peer: PeerID, files: [OwedFile]
    )] {
        let person = access.person
        let rows = try await access.read { database in
            try database.all(
                """
                SELECT peer, number, coalesce(origin, record) FROM message
                WHERE person = ?3 AND file_state = 1 AND file_id IS NOT NULL AND record IS NOT NULL AND EXISTS (
                  SELECT 1 FROM record WHERE author = (SELECT seq FROM peer WHERE key = message.peer) AND kind = 13
                    AND topic = x'' AND (\(Schema.replaceable)) AND record.expires > ?1)
                ORDER BY peer, number LIMIT ?2
                """,
                [.int(wallTime.milliseconds), .int(Int64(limit)), person]
            ) { (peer: $0.bytes32(0), number: $0.int(1), line: $0.bytes32(2)) }
        }
        var owed: [(peer: PeerID, files: [OwedFile])] = []
        for case (let peer?, let number, let line?) in rows {
            if owed.last?.peer.key != peer { owed.append((PeerID(peer), [])) }
            owed[owed.count - 1].files.append(OwedFile(number: number, line: RecordID(line)))
        }
        return owed
    }

    /// Stores the record that says that files are here.
    ///
    /// - Parameter make: returns `nil` if their author cannot be told.
    package func sendFilesHere(
        _ files: [OwedFile], at wallTime: WallTime, _ make: (@Sendable (HybridTime) -> VerifiedRecord)?
    ) async throws(StoreError) {
        try await access.commit { transaction in
            if let make { _ = try transaction.enter(access.draft(at: wallTime, waits: true, make)) }
            for file in files {
                try transaction.database.run(
                    "UPDATE message SET file_state = 2 WHERE number = ? AND file_state = 1", [.int(file.number)])
            }
        }
    }
}
