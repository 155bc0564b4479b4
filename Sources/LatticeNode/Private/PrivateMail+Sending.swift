import LatticeCore
import LatticeCrypto
import LatticeStore
import LatticeWire

// Outgoing: lines, receipts, keys.
extension PrivateMail {
    /// Receipts sent at a time, over all peers.
    private static let receiptMessagesMax = 1_024

    /// Seals the lines whose recipients' keys are here.
    ///
    /// - Returns: whether anything was written.
    func sealWaiting(at now: WallTime) async throws(StoreError) -> Bool {
        var hasWritten = false
        var dice = SeededGenerator(seed: SecureRandom.word())
        for message in try await store.messages.unsealed(at: now, limit: Self.unsealedMax) {
            guard let prekeys = try await store.prekeys.published(by: message.peer, at: now)?.body else { continue }
            let prekey = try await take(from: prekeys, of: message.peer, &dice)
            guard let line = Self.line(of: message), let body = seal(.line(line), to: message.peer, prekey) else {
                continue
            }
            let outcome = try await store.messages.send(
                message: message.number, prekey: prekey.id,
                expires: WallTime(milliseconds: now.milliseconds + Self.lifetime), at: now,
                signing(.sealed, body.body))
            hasWritten = hasWritten || outcome == .added
        }
        return try await sealActs(at: now) || hasWritten
    }

    /// How long to wait for a receipt before sealing again; later, at least as long as from the line to its last sealing.
    private static let receiptPatience: Int64 = 10 * 60_000

    /// Seals unconfirmed lines again if their key is no longer published: a recipient who lost their store or was long away
    /// cannot open the first record. A recipient who opened it recognises the second.
    ///
    /// - Returns: whether anything was written.
    func sealAgain(at now: WallTime) async throws(StoreError) -> Bool {
        var hasWritten = false
        var dice = SeededGenerator(seed: SecureRandom.word())
        for message in try await store.messages.sent(at: now, limit: Self.unsealedMax)
        where Self.isDue(message, at: now) {
            guard let first = message.record, let old = message.prekey,
                let prekeys = try await store.prekeys.published(by: message.peer, at: now)?.body,
                !([prekeys.rotating] + prekeys.oneTime).contains(where: { $0.id == old })
            else { continue }
            let prekey = try await take(from: prekeys, of: message.peer, &dice)
            guard let line = Self.line(of: message), let body = seal(.again(first, line), to: message.peer, prekey)
            else {
                continue
            }
            let outcome = try await store.messages.sendAgain(
                message, prekey: prekey.id, expires: WallTime(milliseconds: now.milliseconds + Self.lifetime), at: now,
                signing(.sealed, body.body))
            hasWritten = hasWritten || outcome == .added
        }
        return hasWritten
    }

    private static func isDue(_ message: StoredMessage, at now: WallTime) -> Bool {
        let sealed = message.expires.milliseconds - lifetime
        guard now.milliseconds - message.date.milliseconds < lifetime else { return false }
        return now.milliseconds - sealed >= max(receiptPatience, sealed - message.date.milliseconds)
    }

    /// A one-time key that was not taken before, or else the rotating one.
    private func take(
        from prekeys: PrekeysBody, of peer: PeerID, _ dice: inout SeededGenerator
    ) async throws(StoreError) -> Prekey {
        let used = try await store.prekeys.used(with: peer)
        return prekeys.oneTime.filter { !used.contains($0.id) }.randomElement(using: &dice) ?? prekeys.rotating
    }

    static func line(of message: StoredMessage) -> ChatLine? {
        do {
            let name = try PeerName(message.name)
            return ChatLine(
                style: message.isAction ? .acts : .says, name: name, text: message.text, replyTo: message.replyTo,
                isNotice: message.isNotice, sealedFile: message.file)
        } catch {
            return nil  // The name is no longer valid: the line lapses.
        }
    }

    /// - Returns: `nil` if the recipient published an invalid key.
    func seal(_ text: SealedText, to peer: PeerID, _ prekey: Prekey) -> SealedBody? {
        do {
            return try MessageSeal.seal(text.bytes, from: me, to: peer, prekey)
        } catch {
            return nil
        }
    }

    /// Confirms opened messages to their authors, 64 in a message. It takes the rotating key, so that one-time keys are left
    /// for lines.
    ///
    /// - Returns: whether anything was written.
    func confirm(at now: WallTime) async throws(StoreError) -> Bool {
        let owed = try await store.messages.receiptsOwed(at: now, limit: Self.receiptMessagesMax)
        for (peer, messages) in owed {
            guard let prekeys = try await store.prekeys.published(by: peer, at: now)?.body else { continue }
            for start in stride(from: 0, to: messages.count, by: SealedText.receiptMax) {
                let part = Array(messages[start..<min(start + SealedText.receiptMax, messages.count)])
                // A peer that publishes an invalid key gets no receipt, and none is tried again.
                let body = seal(.receipt(part), to: peer, prekeys.rotating)
                try await store.messages.sendReceipt(for: part, at: now, body.map { signing(.sealed, $0.body) })
            }
        }
        return !owed.isEmpty
    }

    /// Tells authors that the files of their messages are complete here, 64 in a message.
    ///
    /// - Returns: whether anything was written.
    func confirmFiles(at now: WallTime) async throws(StoreError) -> Bool {
        let owed = try await store.messages.filesOwed(at: now, limit: Self.receiptMessagesMax)
        for (peer, files) in owed {
            guard let prekeys = try await store.prekeys.published(by: peer, at: now)?.body else { continue }
            for start in stride(from: 0, to: files.count, by: SealedText.receiptMax) {
                let part = Array(files[start..<min(start + SealedText.receiptMax, files.count)])
                let body = seal(.filesHere(part.map(\.line)), to: peer, prekeys.rotating)
                try await store.messages.sendFilesHere(part, at: now, body.map { signing(.sealed, $0.body) })
            }
        }
        return !owed.isEmpty
    }

    /// Makes, publishes and destroys this persona's keys.
    ///
    /// - Parameter ranFor: time since this node began.
    /// - Returns: whether anything was published.
    func tendKeys(at now: WallTime, ranFor: Duration) async throws(StoreError) -> Bool {
        let plan = PrekeyPlan(
            try await store.prekeys.own(), published: try await store.prekeys.published(by: me, at: now), at: now,
            ranFor: ranFor,
            oneTimeMax: oneTimeMax)
        if plan.publishes { try await publish(plan, at: now) }
        try await store.prekeys.destroy(plan.destroyed)
        return plan.publishes
    }

    private func publish(_ plan: PrekeyPlan, at now: WallTime) async throws(StoreError) {
        func make(isRotating: Bool) -> StoredPrekey {
            let key = keys.makePrekey()
            return StoredPrekey(prekey: key.prekey, sealed: key.sealed, isRotating: isRotating, made: now)
        }
        let rotating = plan.makesRotating ? [make(isRotating: true)] : []
        let oneTime = (0..<plan.oneTimeToMake).map { _ in make(isRotating: false) }
        guard let current = rotating.first?.prekey ?? plan.rotating else {
            preconditionFailure("without a rotating key one is made")
        }
        let body = PrekeysBody(rotating: current, oneTime: plan.oneTime + oneTime.map(\.prekey))
        try await store.prekeys.publish(rotating + oneTime, at: now, signing(.prekeys, body.body))
    }
}
