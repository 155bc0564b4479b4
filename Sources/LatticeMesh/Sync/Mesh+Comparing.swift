import DequeModule
import LatticeCore
import LatticeWire

// Comparing: our questions to neighbours, and theirs to us.
extension Mesh {
    // MARK: - Ours

    /// Begins a comparison that is due, unless others come first.
    mutating func beginWished(_ index: Int, at now: Instant, into effects: inout [MeshEffect]) {
        guard let wish = sync.links[index].wish, wish.at <= now, sync.links[index].round == nil else { return }
        guard sync.links[index].isComparable(at: now) else { return sync[at: index].dropWish() }
        let hasWaited = wish.waitingSince.map { $0 + MeshLimit.roundDelayMax <= now } ?? false
        let isCrowded = sync.roundCount >= MeshLimit.roundsMax || sync.wanted.count > MeshLimit.wantedLow
        guard wish.isUrgent || hasWaited || !isCrowded else { return sync[at: index].wait(at: now) }
        sync[at: index].beginRound(at: now)
        openSessions(index, at: now, into: &effects)
    }

    private mutating func openSessions(_ index: Int, at now: Instant, into effects: inout [MeshEffect]) {
        let number = sync.nextSession
        guard let session = sync[at: index].round?.openNext(number: number, at: now) else {
            if sync.links[index].round?.isOver == true { endRound(index, at: now, into: &effects) }
            return
        }
        compare(session, index, into: &effects)
        openSessions(index, at: now, into: &effects)
    }

    private func compare(_ session: Round.Session, _ index: Int, into effects: inout [MeshEffect]) {
        effects.append(
            .compare(
                ComparisonWork(
                    link: sync.links[index].id, side: .question, session: session.number, scope: session.range.scope,
                    since: session.range.since, message: session.heard)))
    }

    private mutating func endRound(_ index: Int, at now: Instant, into effects: inout [MeshEffect]) {
        guard sync[at: index].endRound(at: now) else { return }
        sync.progress.compared(with: sync.links[index].peer)
        // What could not be stored is over by now, or has come all the same.
        if sync.isStoreFailing, sync.wanted.isEmpty { storeRecovered(at: now) }
        effects.append(.comparedWith(sync.links[index].peer))
    }

    mutating func questionMade(
        _ outcome: ComparisonOutcome, _ index: Int, at now: Instant, into effects: inout [MeshEffect]
    ) {
        let number = outcome.work.session
        guard let session = sync.links[index].round?.session(number), case .making = session.phase else { return }
        switch outcome.result {
        case .unready: sync[at: index].round?.notMade(number, at: now)
        case .faulty:
            sync[at: index].round?.end(number, well: false)
            shun(index, at: now)
        case .step(let reply, let have, let need):
            sync[at: index].differences += have.count + need.count
            want(need, of: index, at: now)
            offer(have, to: index, at: now, into: &effects)
            if let reply {
                let hasLearned = !have.isEmpty || !need.isEmpty
                if sync[at: index].round?.made(number, reply, hasLearned: hasLearned) == false {
                    sync[at: index].round?.end(number, well: false)
                    shun(index, at: now)
                }
            } else {
                sync[at: index].round?.end(number, well: true)
            }
        }
        releaseRound(index, at: now, into: &effects)
    }

    /// An answer to a question of ours. What we did not ask is no fault: it may be late.
    mutating func answered(_ answer: Comparison, by index: Int, at now: Instant, into effects: inout [MeshEffect]) {
        guard let session = sync[at: index].round?.answered(answer, at: now) else { return }
        if answer.message.isEmpty {
            // Not now, or what it keeps has changed, which it said before.
            if let range = sync.links[index].range(session.range.scope), range != session.range {
                sync[at: index].round?.reopen(session.number, as: range)
            } else {
                sync[at: index].round?.end(session.number, well: false)
            }
        } else if sync.links[index].round?.isOutOfPatience == true {
            sync[at: index].round?.end(session.number, well: false)
            blame(index, MeshLimit.faultOfDallying, at: now)
        } else {
            compare(session, index, into: &effects)
        }
        releaseRound(index, at: now, into: &effects)
    }

    /// Whatever is due of our comparing with one neighbour.
    mutating func releaseRound(_ index: Int, at now: Instant, into effects: inout [MeshEffect]) {
        guard sync.links[index].round != nil else { return }
        sync[at: index].round?.lapse(at: now)
        for session in sync[at: index].round?.rested(at: now) ?? [] { compare(session, index, into: &effects) }
        for session in sync.links[index].round?.sessions ?? [] {
            guard case .ready(let message) = session.phase, mayAsk(index) else { continue }
            sync[at: index].round?.asked(session.number, at: now)
            let question = Comparison(
                side: .question, session: session.number, scope: session.range.scope, since: session.range.since,
                message: message)
            effects.append(.send(.comparison(question), to: sync.links[index].id))
        }
        openSessions(index, at: now, into: &effects)
    }

    /// Whether there is room for all that one more answer may tell.
    private func mayAsk(_ index: Int) -> Bool {
        guard let link = sync.links[index].slot, let pending = sync.links[index].round?.pendingCount else {
            return false
        }
        let told = sync.wanted.toldCount(link)
        return told + (pending + 1) * MeshLimit.answerIDsMax <= sync.wanted.share || (told == 0 && pending == 0)
    }

    // MARK: - Theirs

    /// A neighbour asks: it is answered in its turn, or at once with nothing if it cannot be.
    mutating func asked(_ question: Comparison, by index: Int, at now: Instant, into effects: inout [MeshEffect]) {
        sync[at: index].wasAsked(at: now)
        guard let keeping = sync.keeping, sync.links[index].range(question.scope) != nil,
            let since = keeping.since(question.scope.group), question.since >= since, !question.message.isEmpty,
            sync.links[index].questions.count < MeshLimit.questionsWaitingMax
        else {
            refusals.add(.questions)
            return refuse(question, by: index, into: &effects)
        }
        sync[at: index].questions.append(question)
    }

    private func refuse(_ question: Comparison, by index: Int, into effects: inout [MeshEffect]) {
        answer(question, with: [], index, into: &effects)
    }

    private func answer(
        _ question: Comparison, with message: [UInt8], _ index: Int, into effects: inout [MeshEffect]
    ) {
        let answer = Comparison(
            side: .answer, session: question.session, scope: question.scope, since: question.since, message: message)
        effects.append(.send(.comparison(answer), to: sync.links[index].id))
    }

    /// One question of a neighbour is worked on at a time, and none before its time.
    mutating func answerNext(_ index: Int, at now: Instant, into effects: inout [MeshEffect]) {
        if let (question, until) = sync.links[index].answering {
            guard until <= now else { return }
            sync[at: index].answering = nil
            refuse(question, by: index, into: &effects)
        }
        guard !sync.links[index].questions.isEmpty,
            sync.links[index].questionTokens.emptyUntil(of: MeshLimit.questions, at: now) == nil,
            let question = sync[at: index].questions.popFirst()
        else { return }
        let cost = 1 + Int64(question.message.count / MeshLimit.questionBytesPerToken)
        sync[at: index].questionTokens.charge(cost, of: MeshLimit.questions, at: now)
        sync[at: index].answering = (question, until: now + MeshLimit.workTimeout)
        effects.append(
            .compare(
                ComparisonWork(
                    link: sync.links[index].id, side: .answer, session: question.session, scope: question.scope,
                    since: question.since, message: question.message)))
    }

    mutating func answerMade(
        _ outcome: ComparisonOutcome, _ index: Int, at now: Instant, into effects: inout [MeshEffect]
    ) {
        let work = outcome.work
        guard let question = sync.links[index].answering?.question, question.session == work.session,
            question.scope == work.scope, question.message == work.message
        else { return }
        sync[at: index].answering = nil
        switch outcome.result {
        case .unready: refuse(question, by: index, into: &effects)
        case .faulty:
            refuse(question, by: index, into: &effects)
            shun(index, at: now)
        case .step(let reply, _, _):
            sync[at: index].comparedAt = now
            let cost = Int64((reply?.count ?? 0) / MeshLimit.answerBytesPerToken)
            sync[at: index].questionTokens.charge(cost, of: MeshLimit.questions, at: now)
            answer(question, with: reply ?? [], index, into: &effects)
        }
    }
}
