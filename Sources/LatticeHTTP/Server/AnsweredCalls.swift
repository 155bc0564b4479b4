/// The replies to calls with an `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header): a client whose connection
/// broke repeats its call with the same key, and gets the reply to the first one.
actor AnsweredCalls {
    struct Key: Hashable {
        static let charactersMax = 64

        /// Who called; others may have the same key.
        let caller: String
        let text: String
    }

    private struct Answer {
        let key: String
        /// The tag of the call without its key.
        let tag: String
        var state = State.running
    }

    private enum State {
        case running
        /// `nil` if the reply was too long to be kept, or is kept nowhere.
        case over(HTTPReply?)
    }

    private static let callersMax = 1_024
    private static let ofCallerMax = 16
    private static let bytesMax = 4_096

    /// By caller, the oldest first.
    private var answers: [String: [Answer]] = [:]
    /// In the order in which they first called.
    private var callers: [String] = []

    /// Begins a call.
    ///
    /// - Parameter tag: of the call without its key.
    /// - Returns: the earlier reply; `nil` if the call is a new one, which `end` must follow.
    /// - Throws: `HTTPProblem` if the first call is not over, its reply is not here, or the key was used for another one.
    func begin(_ key: Key, _ tag: String) throws(HTTPProblem) -> HTTPReply? {
        guard let answer = answers[key.caller]?.first(where: { $0.key == key.text }) else {
            add(Answer(key: key.text, tag: tag), of: key.caller)
            return nil
        }
        guard answer.tag == tag else {
            throw HTTPProblem(422, "usedKey", "This Idempotency-Key belongs to another request. Use a new one.")
        }
        switch answer.state {
        case .running:
            throw HTTPProblem(409, "stillRunning", "The first request with this key is not answered yet. Try again.")
        case .over(nil): throw HTTPProblem(409, "alreadyDone", "This request was carried out when it came first.")
        case .over(let reply?): return reply
        }
    }

    private func add(_ answer: Answer, of caller: String) {
        if answers[caller] == nil {
            if callers.count == Self.callersMax { answers[callers.removeFirst()] = nil }
            callers.append(caller)
        }
        answers[caller, default: []].append(answer)
        if answers[caller, default: []].count > Self.ofCallerMax { answers[caller]?.removeFirst() }
    }

    /// - Parameter reply: `nil` if the call failed and may be tried again.
    func end(_ key: Key, _ reply: HTTPReply?) {
        guard let index = answers[key.caller]?.firstIndex(where: { $0.key == key.text }) else { return }
        guard let reply else {
            answers[key.caller]?.remove(at: index)
            return
        }
        answers[key.caller]?[index].state = .over(reply.isKept(bytesMax: Self.bytesMax) ? reply : nil)
    }
}

extension HTTPReply {
    /// Whether it is short, and no secret.
    fileprivate func isKept(bytesMax: Int) -> Bool {
        guard case .bytes(let bytes) = body, headers["cache-control"] != "no-store" else { return false }
        return bytes.count <= bytesMax
    }
}
