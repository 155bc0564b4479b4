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
        /// Of the call without its key.
        let tag: String
        /// `nil` while the first call is being answered.
        let reply: HTTPReply?
    }

    private static let countMax = 1_024
    private static let bytesMax = 4_096

    private var answers: [Key: Answer] = [:]
    /// The oldest first.
    private var keys: [Key] = []

    /// Begins a call.
    ///
    /// - Parameter tag: of the call without its key.
    /// - Returns: the earlier reply; `nil` if the call is a new one, which `end` must follow.
    /// - Throws: `HTTPProblem` if the first call is not over, or the key was used for another one.
    func begin(_ key: Key, _ tag: String) throws(HTTPProblem) -> HTTPReply? {
        if let answer = answers[key] {
            guard answer.tag == tag else {
                throw HTTPProblem(422, "usedKey", "This Idempotency-Key belongs to another request. Use a new one.")
            }
            guard let reply = answer.reply else {
                throw HTTPProblem(
                    409, "stillRunning", "The first request with this key is not answered yet. Try again.")
            }
            return reply
        }
        if keys.count == Self.countMax { answers[keys.removeFirst()] = nil }
        keys.append(key)
        answers[key] = Answer(tag: tag, reply: nil)
        return nil
    }

    /// - Parameter reply: `nil` if the call failed and may be tried again.
    func end(_ key: Key, _ reply: HTTPReply?) {
        guard let answer = answers[key], answer.reply == nil else { return }
        if let reply, case .bytes(let bytes) = reply.body, bytes.count <= Self.bytesMax {
            answers[key] = Answer(tag: answer.tag, reply: reply)
        } else {
            answers[key] = nil
            keys.removeAll { $0 == key }
        }
    }
}
