import LatticeCore
import LatticeWire

// Reconciling: our questions to neighbours, and theirs to us.
extension AntiEntropy {
    // MARK: - Ours

    /// Begins a round that is due, unless others come first.
    mutating func beginWished(_ index: Int, at now: Instant, into effects: inout [MeshEffect]) {
        guard let wish = links[index].wish, wish.at <= now, links[index].round == nil else { return }
        guard links[index].isComparable(at: now) else { return links[index].dropWish() }
        let hasWaited = wish.waitingSince.map { $0 + MeshLimit.roundDelayMax <= now } ?? false
        let isCrowded = roundCount >= MeshLimit.roundsMax || fetching.count > MeshLimit.wantedLow
        guard wish.isUrgent || hasWaited || !isCrowded else { return links[index].wait(at: now) }
        links[index].beginRound(at: now)
        openSessions(index, at: now, into: &effects)
    }

    private mutating func openSessions(_ index: Int, at now: Instant, into effects: inout [MeshEffect]) {
        let number = nextSession
        guard let session = links[index].round?.openNext(number: number, at: now) else {
            if links[index].round?.isOver == true { endRound(index, at: now, into: &effects) }
            return
        }
        compare(session, index, into: &effects)
        openSessions(index, at: now, into: &effects)
    }

    private func compare(_ session: Round.Session, _ index: Int, into effects: inout [MeshEffect]) {
        effects.append(
            .compare(
                ComparisonWork(
                    link: links[index].id, side: .question, session: session.number, scope: session.range.scope,
                    since: session.range.since, message: session.heard)))
    }

    private mutating func endRound(_ index: Int, at now: Instant, into effects: inout [MeshEffect]) {
        guard links[index].endRound(at: now) else { return }
        catchingUp.compared(with: links[index].peer)
        // Records that could not be stored have expired by now or have come anyway.
        if fetching.isStoreFailing, fetching.isEmpty { storeRecovered(at: now) }
        effects.append(.comparedWith(links[index].peer))
    }

    mutating func questionMade(
        _ outcome: ComparisonOutcome, _ index: Int, at now: Instant, into effects: inout [MeshEffect]
    ) {
        let number = outcome.work.session
        guard let session = links[index].round?.session(number), case .making = session.phase else { return }
        switch outcome.result {
        case .unready: links[index].round?.notMade(number, at: now)
        case .faulty:
            links[index].round?.end(number, well: false)
            shun(index, at: now)
        case .step(let reply, let have, let need):
            links[index].differences += have.count + need.count
            want(need, of: index, at: now)
            offer(have, to: index, at: now, into: &effects)
            if let reply {
                let hasLearned = !have.isEmpty || !need.isEmpty
                if links[index].round?.made(number, reply, hasLearned: hasLearned) == false {
                    links[index].round?.end(number, well: false)
                    shun(index, at: now)
                }
            } else {
                links[index].round?.end(number, well: true)
            }
        }
        releaseRound(index, at: now, into: &effects)
    }

    /// An answer to one of our questions. An unexpected answer is no fault: it may be late.
    mutating func answered(_ answer: Comparison, by index: Int, at now: Instant, into effects: inout [MeshEffect]) {
        guard let session = links[index].round?.answered(answer, at: now) else { return }
        if answer.message.isEmpty {
            // The neighbour cannot answer now, or its keeping has changed, which it has sent before.
            if let range = links[index].range(session.range.scope), range != session.range {
                links[index].round?.reopen(session.number, as: range)
            } else {
                links[index].round?.end(session.number, well: false)
            }
        } else if links[index].round?.isOutOfPatience == true {
            links[index].round?.end(session.number, well: false)
            blame(index, MeshLimit.faultOfDallying, at: now)
        } else {
            compare(session, index, into: &effects)
        }
        releaseRound(index, at: now, into: &effects)
    }

    /// Does what is due in our round with one neighbour.
    mutating func releaseRound(_ index: Int, at now: Instant, into effects: inout [MeshEffect]) {
        guard links[index].round != nil else { return }
        links[index].round?.lapse(at: now)
        for session in links[index].round?.rested(at: now) ?? [] { compare(session, index, into: &effects) }
        for session in links[index].round?.sessions ?? [] {
            guard case .ready(let message) = session.phase, mayAsk(index) else { continue }
            links[index].round?.asked(session.number, at: now)
            let question = Comparison(
                side: .question, session: session.number, scope: session.range.scope, since: session.range.since,
                message: message)
            effects.append(.send(.comparison(question), to: links[index].id))
        }
        openSessions(index, at: now, into: &effects)
    }

    /// Whether there is space for all ids of one more answer.
    private func mayAsk(_ index: Int) -> Bool {
        guard let link = links[index].slot, let pending = links[index].round?.pendingCount else {
            return false
        }
        let told = fetching.announcedCount(link)
        return told + (pending + 1) * MeshLimit.answerIDsMax <= fetching.share || (told == 0 && pending == 0)
    }

    // MARK: - Theirs

    /// Queues a neighbour's question, or answers it at once with an empty message if that is impossible.
    mutating func asked(_ question: Comparison, by index: Int, at now: Instant, into effects: inout [MeshEffect]) {
        links[index].wasAsked(at: now)
        guard let keeping = self.keeping, links[index].range(question.scope) != nil,
            let since = keeping.since(question.scope.group), question.since >= since, !question.message.isEmpty,
            links[index].questions.add(question)
        else {
            refused.add(.questions)
            return refuse(question, by: index, into: &effects)
        }
    }

    private func refuse(_ question: Comparison, by index: Int, into effects: inout [MeshEffect]) {
        answer(question, with: [], index, into: &effects)
    }

    private func answer(
        _ question: Comparison, with message: [UInt8], _ index: Int, into effects: inout [MeshEffect]
    ) {
        let answer = Comparison(
            side: .answer, session: question.session, scope: question.scope, since: question.since, message: message)
        effects.append(.send(.comparison(answer), to: links[index].id))
    }

    /// Works on one question of a neighbour at a time, and on none early.
    mutating func answerNext(_ index: Int, at now: Instant, into effects: inout [MeshEffect]) {
        if let late = links[index].questions.takeLapsed(at: now) { refuse(late, by: index, into: &effects) }
        guard let question = links[index].questions.next(at: now) else { return }
        effects.append(
            .compare(
                ComparisonWork(
                    link: links[index].id, side: .answer, session: question.session, scope: question.scope,
                    since: question.since, message: question.message)))
    }

    mutating func answerMade(
        _ outcome: ComparisonOutcome, _ index: Int, at now: Instant, into effects: inout [MeshEffect]
    ) {
        guard let question = links[index].questions.take(outcome.work) else { return }
        switch outcome.result {
        case .unready: refuse(question, by: index, into: &effects)
        case .faulty:
            refuse(question, by: index, into: &effects)
            shun(index, at: now)
        case .step(let reply, _, _):
            links[index].comparedAt = now
            links[index].questions.charge(answerBytes: reply?.count ?? 0, at: now)
            answer(question, with: reply ?? [], index, into: &effects)
        }
    }
}
