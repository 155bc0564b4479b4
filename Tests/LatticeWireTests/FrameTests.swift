import LatticeCore
import LatticeWire
import Testing

struct FrameTests {
    private func error(_ message: [UInt8]) -> WireError? {
        wireError { () throws(WireError) in try Frame.decode(message: message[...]) }
    }

    @Test func anEmptyMessageHasNoFrames() throws {
        #expect(try Frame.decode(message: []).isEmpty)
    }

    @Test func everyPrefixOfEveryFrameIsRefused() throws {
        for (frame, _) in try Samples.frames() {
            for count in 1..<frame.bytes.count {
                #expect(error(Array(frame.bytes.prefix(count))) != nil, "\(frame), \(count) bytes")
            }
        }
    }

    @Test func aBodyWithAByteTooManyIsRefused() throws {
        // A piece and a datagram go to the end of their frame.
        for (frame, _) in try Samples.frames() where frame.type != .piece && frame.type != .datagram {
            var reader = ByteReader(frame.bytes)
            let type = try reader.varint("type")
            let body = Array(try reader.bytes("body", bytesMax: 65_535))
            var expected = WireError.trailing(field: [8, 19, 29].contains(type) ? "record" : "frame", bytes: 1)
            // Behind nothing a byte is the first of an origin.
            if frame == .prune(of: nil) { expected = .truncated(field: "pruned origin") }
            #expect(error(Samples.frame(type: type, body + [0])) == expected)
        }
    }

    @Test func everyFlippedBitIsSurvived() throws {
        for (frame, _) in try Samples.frames() {
            for bit in 0..<frame.bytes.count * 8 {
                var changed = frame.bytes
                changed[bit / 8] ^= 1 << (bit % 8)
                do throws(WireError) {
                    let frames = try Frame.decode(message: changed[...])
                    #expect(frames != [frame], "bit \(bit)")
                } catch {
                    continue
                }
            }
        }
    }

    @Test func everyBodyThatEndsTooEarlyIsRefused() throws {
        for (frame, _) in try Samples.frames() {
            var reader = ByteReader(frame.bytes)
            let type = try reader.varint("type")
            let body = try reader.bytes("body", bytesMax: 65_535)
            for count in 0..<body.count {
                let error = error(Samples.frame(type: type, Array(body.prefix(count))))
                // A prune may name an origin or nobody, and a piece and a neighbour's datagram may have any length.
                let isWhole =
                    type == 12 && count == 0 || frame.type == .piece && count >= 2
                    || frame.type == .datagram && body.first == 0 && count >= 4
                #expect((error == nil) == isWhole, "\(frame), \(count) bytes")
            }
        }
    }

    @Test(arguments: [0, 127, 128, 1_000, .max] as [UInt64])
    func anUnknownTypeIsSkipped(type: UInt64) throws {
        let message = Frame.prune(of: nil).bytes + Samples.frame(type: type, [1, 2, 3]) + Frame.ping(nonce: 1).bytes
        #expect(try Frame.decode(message: message[...]) == [.prune(of: nil), .ping(nonce: 1)])
    }

    @Test func aMessageHasAtMost4096FramesOfWhateverType() throws {
        for type in [12, 1_000] as [UInt64] {
            let one = Samples.frame(type: type, [])
            let most = [[UInt8]](repeating: one, count: Frame.countPerMessageMax).flatMap { $0 }
            #expect(error(most) == nil)
            #expect(error(most + one) == .outOfRange(field: "frames in one message"))
        }
    }

    @Test(arguments: [0, 1, 2, 63, 64, 65, 255, 256, 1 << 32, .max] as [UInt64])
    func aRecordTravels1To64Links(count: UInt64) throws {
        let record = try Samples.signed().bytes
        let isAccepted = (1...64).contains(count)
        let timeToLive = Samples.written {
            $0.varint(count); $0.varint(1); $0.byte(0); $0.fixed(record)
        }
        #expect(error(Samples.frame(type: 8, timeToLive)) == (isAccepted ? nil : .outOfRange(field: "TTL")))
        let hops = Samples.written {
            $0.varint(1); $0.varint(count); $0.byte(0); $0.fixed(record)
        }
        #expect(error(Samples.frame(type: 8, hops)) == (isAccepted ? nil : .outOfRange(field: "hops")))
    }

    @Test(arguments: [0, 1, 2, 255] as [UInt8])
    func aRecordIsStrayOrNot(stray: UInt8) throws {
        let signed = try Samples.signed()
        let body = Samples.written {
            $0.varint(3); $0.varint(2); $0.byte(stray); $0.fixed(signed.bytes)
        }
        let frame = Samples.frame(type: 8, body)
        #expect(error(frame) == (stray > 1 ? .outOfRange(field: "record stray") : nil))
        guard stray <= 1 else { return }
        let record = RecordFrame(timeToLive: 3, hops: 2, isStray: stray == 1, signed: signed)
        #expect(try Frame.decode(message: frame[...]) == [.record(record)])
    }

    @Test(arguments: [0, 1, 31, 32, 33, 64])
    func aPruneNamesOneOriginOrNobody(count: Int) throws {
        let frame = Samples.frame(type: 12, [UInt8](repeating: 2, count: count))
        switch count {
        case 0: #expect(try Frame.decode(message: frame[...]) == [.prune(of: nil)])
        case 32: #expect(try Frame.decode(message: frame[...]) == [.prune(of: Samples.peer(2))])
        case ..<32: #expect(error(frame) == .truncated(field: "pruned origin"))
        default: #expect(error(frame) == .trailing(field: "frame", bytes: count - 32))
        }
    }

    @Test(arguments: [255, 256, 257])
    func aGoodbyeHasAtMost256Bytes(count: Int) {
        let body = Samples.written {
            $0.varint(0); $0.text(String(repeating: "a", count: count))
        }
        let expected = WireError.tooLong(field: "goodbye text", bytes: 257, bytesMax: 256)
        #expect(error(Samples.frame(type: 1, body)) == (count > 256 ? expected : nil))
    }

    @Test func unknownReasonsAreUnderstoodAsUnknown() throws {
        let goodbye = Samples.frame(
            type: 1,
            Samples.written {
                $0.varint(99); $0.text("")
            })
        #expect(try Frame.decode(message: goodbye[...]) == [.goodbye(Goodbye(.unknown, ""))])
        let refusal = Samples.frame(type: 7, Samples.written { $0.varint(99) })
        #expect(try Frame.decode(message: refusal[...]) == [.refuse(.unknown)])
    }

    @Test(arguments: [0, 1_023, 1_024, 1_025])
    func aContextHasAtMost1024Bytes(count: Int) {
        let body = Samples.written {
            $0.text("m"); $0.bytes([UInt8](repeating: 0, count: count)); $0.byte(0); $0.varint(0)
        }
        let expected = WireError.tooLong(field: "invitation context", bytes: 1_025, bytesMax: 1_024)
        #expect(error(Samples.frame(type: 5, body)) == (count > 1_024 ? expected : nil))
    }

    @Test(arguments: ["", "a\u{1B}", " a"])
    func aMeshHasAProperName(name: String) {
        let body = Samples.written {
            $0.text(name); $0.bytes([]); $0.byte(0); $0.varint(0)
        }
        #expect(error(Samples.frame(type: 5, body)) == .notUTF8(field: "mesh name"))
    }

    @Test(arguments: [0, 1, 2, 255] as [UInt8])
    func anInvitationIsUrgentOrNot(urgency: UInt8) throws {
        let body = Samples.written {
            $0.text("m"); $0.bytes([]); $0.byte(urgency); $0.varint(0)
        }
        let frame = Samples.frame(type: 5, body)
        #expect(error(frame) == (urgency > 1 ? .outOfRange(field: "invitation urgency") : nil))
        guard urgency <= 1 else { return }
        let invitation = Invitation(mesh: try MeshName("m"), context: [], isUrgent: urgency == 1, room: 0)
        #expect(try Frame.decode(message: frame[...]) == [.invitation(invitation)])
    }

    @Test(arguments: [0, 1, 127, 128, 254, 255, 256, .max] as [UInt64])
    func roomIsForAtMost255Links(room: UInt64) throws {
        let invitation = Samples.written {
            $0.text("m"); $0.bytes([]); $0.byte(0); $0.varint(room)
        }
        #expect(error(Samples.frame(type: 5, invitation)) == (room > 255 ? .outOfRange(field: "invitation room") : nil))
        let accept = Samples.frame(type: 6, Samples.written { $0.varint(room) })
        #expect(error(accept) == (room > 255 ? .outOfRange(field: "accept room") : nil))
        guard let links = UInt8(exactly: room) else { return }
        #expect(try Frame.decode(message: accept[...]) == [.accept(room: links)])
    }

    @Test(arguments: [0, 1, 63, 64, 65])
    func aProbeHasAtMost64Stops(count: Int) throws {
        let (from, to) = (try Samples.peer(1), try Samples.peer(2))
        let body = Samples.written { writer in
            writer.byte(1)
            writer.integer(1, bytes: 8)
            writer.fixed(from.key)
            writer.fixed(to.key)
            writer.varint(1)
            writer.varint(UInt64(count))
            for _ in 0..<count {
                writer.fixed(to.key)
                writer.text("bob")
                writer.fixed([UInt8](repeating: 3, count: 64))
            }
        }
        #expect(error(Samples.frame(type: 9, body)) == (count > 64 ? .outOfRange(field: "probe stops") : nil))
    }

    @Test func aProbeGoesThereOrBack() throws {
        let body = Frame.probe(try Samples.probe()).bytes.dropFirst(3)
        #expect(error(Samples.frame(type: 9, [2] + body.dropFirst())) == .outOfRange(field: "probe direction"))
    }
}
