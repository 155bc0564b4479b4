import LatticeAPI
import LatticeCore
import Testing

@testable import LatticeHTTP

/// Calls that a client repeats because it never heard the answer.
@Suite struct RepeatedCallTests {
    private static let path = "/v1/rooms/lobby/messages"

    private func said(_ rig: HTTPRig) async -> Int {
        await rig.node.requests.filter { $0.base is Say }.count
    }

    @Test func aRepeatedCallIsAnsweredAsTheFirstAndNotDoneTwice() async throws {
        try await HTTPRig.serving { rig in
            let headers = ["Idempotency-Key": "k-1"]
            let first = try await rig.own("POST", Self.path, headers: headers, body: #"{"text":"hello"}"#)
            let again = try await rig.own("POST", Self.path, headers: headers, body: #"{"text":"hello"}"#)
            #expect(first.status == 201 && again.status == 201)
            #expect(first.body == again.body)
            #expect(first.headers["location"] == again.headers["location"])
            #expect(await said(rig) == 1)
            // Another key, or none, is another line.
            for key in ["k-2", nil] {
                let headers = key.map { ["Idempotency-Key": $0] } ?? [:]
                #expect(
                    try await rig.own("POST", Self.path, headers: headers, body: #"{"text":"hello"}"#).status == 201)
            }
            #expect(await said(rig) == 3)
        }
    }

    @Test func aKeyBelongsToOneRequest() async throws {
        try await HTTPRig.serving { rig in
            let headers = ["Idempotency-Key": "k"]
            #expect(try await rig.own("POST", Self.path, headers: headers, body: #"{"text":"a"}"#).status == 201)
            let other = try await rig.own("POST", Self.path, headers: headers, body: #"{"text":"b"}"#)
            #expect(other.status == 422)
            #expect(try other.object()["code"] as? String == "usedKey")
            #expect(await said(rig) == 1)
        }
    }

    @Test func aRefusedCallMayBeRepeated() async throws {
        try await HTTPRig.serving { (rig) async throws in
            let headers = ["Idempotency-Key": "k"]
            await rig.node.refuse(.emptyLine)
            #expect(try await rig.own("POST", Self.path, headers: headers, body: #"{"text":"a"}"#).status == 422)
            #expect(try await rig.own("POST", Self.path, headers: headers, body: #"{"text":"a"}"#).status == 201)
        }
    }

    @Test(arguments: ["a b", String(repeating: "k", count: 65), "ü"])
    func aKeyIsAShortWord(key: String) async throws {
        try await HTTPRig.serving { rig in
            let answer = try await rig.own("POST", Self.path, headers: ["Idempotency-Key": key], body: #"{"text":"a"}"#)
            #expect(answer.status == 400)
            #expect(await said(rig) == 0)
        }
    }

    private func key(_ caller: String, _ number: Int) -> AnsweredCalls.Key { .init(caller: caller, text: "\(number)") }

    /// - Returns: the code of the refusal.
    private func refusal(_ key: AnsweredCalls.Key, _ calls: AnsweredCalls) async -> String? {
        do throws(HTTPProblem) {
            _ = try await calls.begin(key, "tag")
            return nil
        } catch {
            return error.code
        }
    }

    @Test func theNewestKeysOfEachCallerAreRemembered() async throws {
        let calls = AnsweredCalls()
        #expect(try await calls.begin(key("calm", 0), "tag") == nil)
        await calls.end(key("calm", 0), HTTPReply(201))
        for number in 0..<1_000 {
            #expect(try await calls.begin(key("busy", number), "tag") == nil)
            await calls.end(key("busy", number), HTTPReply(201))
        }
        #expect(try await calls.begin(key("busy", 999), "tag")?.status == 201)
        #expect(try await calls.begin(key("busy", 984), "tag")?.status == 201)
        #expect(try await calls.begin(key("busy", 983), "tag") == nil)
        #expect(try await calls.begin(key("calm", 0), "tag")?.status == 201)
    }

    @Test func whatIsLongOrSecretIsDoneOnceAndNotRepeated() async throws {
        let calls = AnsweredCalls()
        let replies = [
            HTTPReply(201, body: .bytes([UInt8](repeating: 1, count: 4_097))),
            HTTPReply(200, headers: ["cache-control": "no-store"], body: .bytes([1])),
        ]
        for (number, reply) in replies.enumerated() {
            #expect(try await calls.begin(key("a", number), "tag") == nil)
            await calls.end(key("a", number), reply)
            #expect(await refusal(key("a", number), calls) == "alreadyDone")
        }
    }

    @Test func whileTheFirstIsAnsweredTheSecondHasToWait() async throws {
        let calls = AnsweredCalls()
        let key = AnsweredCalls.Key(caller: "a", text: "k")
        #expect(try await calls.begin(key, "tag") == nil)
        #expect(await refusal(key, calls) == "stillRunning")
        // Of somebody else it is another key.
        #expect(try await calls.begin(.init(caller: "b", text: "k"), "tag") == nil)
    }
}
