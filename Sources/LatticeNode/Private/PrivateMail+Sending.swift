import LatticeCore
import LatticeCrypto
import LatticeStore
import LatticeWire

// Outgoing: lines, receipts, keys.
extension PrivateMail {
    /// Receipts sent at a time, over all peers.
    private static let receiptLettersMax = 1_024

    /// Seals the lines whose recipients' keys are here.
    ///
    /// - Returns: whether anything was written.
    func sealWaiting(at now: WallTime) async throws(StoreError) -> Bool {
        var hasWritten = false
        var dice = SeededGenerator(seed: SecureRandom.word())
        for letter in try await store.letters.unsealed(at: now, limit: Self.unsealedMax) {
            guard let prekeys = try await store.prekeys.published(by: letter.peer, at: now)?.body else { continue }
            let prekey = try await take(from: prekeys, of: letter.peer, &dice)
            guard let line = Self.line(of: letter), let body = seal(.line(line), to: letter.peer, prekey) else {
                continue
            }
            let outcome = try await store.letters.send(
                letter: letter.number, prekey: prekey.id,
                expires: WallTime(milliseconds: now.milliseconds + Self.lifetime), at: now,
                signing(.sealed, body.body))
            hasWritten = hasWritten || outcome == .added
        }
        return hasWritten
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
        for letter in try await store.letters.sent(at: now, limit: Self.unsealedMax) where Self.isDue(letter, at: now) {
            guard let first = letter.record, let old = letter.prekey,
                let prekeys = try await store.prekeys.published(by: letter.peer, at: now)?.body,
                !([prekeys.rotating] + prekeys.oneTime).contains(where: { $0.id == old })
            else { continue }
            let prekey = try await take(from: prekeys, of: letter.peer, &dice)
            guard let line = Self.line(of: letter), let body = seal(.again(first, line), to: letter.peer, prekey) else {
                continue
            }
            let outcome = try await store.letters.sendAgain(
                letter, prekey: prekey.id, expires: WallTime(milliseconds: now.milliseconds + Self.lifetime), at: now,
                signing(.sealed, body.body))
            hasWritten = hasWritten || outcome == .added
        }
        return hasWritten
    }

    private static func isDue(_ letter: StoredLetter, at now: WallTime) -> Bool {
        let sealed = letter.expires.milliseconds - lifetime
        guard now.milliseconds - letter.date.milliseconds < lifetime else { return false }
        return now.milliseconds - sealed >= max(receiptPatience, sealed - letter.date.milliseconds)
    }

    /// A one-time key that was not taken before, or else the rotating one.
    private func take(
        from prekeys: PrekeysBody, of peer: PeerID, _ dice: inout SeededGenerator
    ) async throws(StoreError) -> Prekey {
        let used = try await store.prekeys.used(with: peer)
        return prekeys.oneTime.filter { !used.contains($0.id) }.randomElement(using: &dice) ?? prekeys.rotating
    }

    private static func line(of letter: StoredLetter) -> ChatLine? {
        do {
            let name = try PeerName(letter.name)
            return ChatLine(
                style: letter.isAction ? .acts : .says, name: name, text: letter.text, isNotice: letter.isNotice)
        } catch {
            return nil  // The name is no longer valid: the line lapses.
        }
    }

    /// - Returns: `nil` if the recipient published an invalid key.
    private func seal(_ text: LetterText, to peer: PeerID, _ prekey: Prekey) -> SealedBody? {
        do {
            return try LetterSeal.seal(text.bytes, from: me, to: peer, prekey)
        } catch {
            return nil
        }
    }

    /// Confirms opened messages to their authors, 64 in a message. It takes the rotating key, so that one-time keys are left
    /// for lines.
    ///
    /// - Returns: whether anything was written.
    func confirm(at now: WallTime) async throws(StoreError) -> Bool {
        let owed = try await store.letters.receiptsOwed(at: now, limit: Self.receiptLettersMax)
        for (peer, letters) in owed {
            guard let prekeys = try await store.prekeys.published(by: peer, at: now)?.body else { continue }
            for start in stride(from: 0, to: letters.count, by: LetterText.receiptMax) {
                let part = Array(letters[start..<min(start + LetterText.receiptMax, letters.count)])
                // A peer that publishes an invalid key gets no receipt, and none is tried again.
                let body = seal(.receipt(part), to: peer, prekeys.rotating)
                try await store.letters.sendReceipt(for: part, at: now, body.map { signing(.sealed, $0.body) })
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
