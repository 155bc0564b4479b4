import DequeModule
import LatticeCore
import LatticeWire

/// The questions of one neighbour: one is answered at a time, and none early.
struct SyncQuestions: Sendable {
    private var waiting: Deque<Comparison> = []
    /// The one being answered, and its deadline.
    private var answered: (question: Comparison, until: Instant)?
    private var tokens = TokenBucket()

    /// - Returns: `false` if too many wait.
    mutating func add(_ question: Comparison) -> Bool {
        guard waiting.count < MeshLimit.questionsWaitingMax else { return false }
        waiting.append(question)
        return true
    }

    /// The one that was not answered in time.
    mutating func takeLapsed(at now: Instant) -> Comparison? {
        guard let (question, until) = answered, until <= now else { return nil }
        answered = nil
        return question
    }

    /// The next one to work on, unless one is being answered or the limit is reached.
    mutating func next(at now: Instant) -> Comparison? {
        guard answered == nil, !waiting.isEmpty, tokens.emptyUntil(of: MeshLimit.questions, at: now) == nil,
            let question = waiting.popFirst()
        else { return nil }
        let cost = 1 + Int64(question.message.count / MeshLimit.questionBytesPerToken)
        tokens.charge(cost, of: MeshLimit.questions, at: now)
        answered = (question, until: now + MeshLimit.workTimeout)
        return question
    }

    /// The one that this work was for; `nil` if it is no longer being answered.
    mutating func take(_ work: ComparisonWork) -> Comparison? {
        guard let question = answered?.question, question.session == work.session, question.scope == work.scope,
            question.message == work.message
        else { return nil }
        answered = nil
        return question
    }

    mutating func charge(answerBytes count: Int, at now: Instant) {
        tokens.charge(Int64(count / MeshLimit.answerBytesPerToken), of: MeshLimit.questions, at: now)
    }

    mutating func giveBack(_ tokens: Int, at now: Instant) {
        self.tokens.charge(-Int64(tokens), of: MeshLimit.questions, at: now)
    }

    func nextDeadline(at now: Instant) -> Instant? {
        if let answered { return answered.until }
        return waiting.isEmpty ? nil : tokens.emptyUntil(of: MeshLimit.questions, at: now) ?? now
    }
}
