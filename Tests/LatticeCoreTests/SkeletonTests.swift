import LatticeCore
import Testing

/// Names that the eye takes for one another.
struct SkeletonTests {
    @Test(arguments: [
        ("bob", "Bob"), ("bob", "bоb"), ("bob", "ВОВ"), ("bob", "𝐛𝐨𝐛"), ("bob", "b0b"),
        ("bob", "b o b"), ("bob", "bob ✓"),
        ("alice", "аlісе"), ("alice", "AL1CE"), ("alice", "a|ice"), ("alice", "aIice"), ("alice", "ΑLICΕ"),
        ("anna", "аппа".replacing("п", with: "n")),
        ("alice", "ａｌｉｃｅ"), ("ALICE", "ａｌｉｃｅ"), ("bob", "ⓑⓞⓑ"), ("bob2", "bob²"), ("fix", "ﬁx"), ("カナ", "ｶﾅ"),
        ("mom", "ｍｏｍ"), ("bob", "ᴮᵒᵇ"), ("bob", "bob＊"), ("(a)x", "⒜x"), ("mom", "rnom"), ("niko", "nıko"),
        ("scope", "ѕсоре"), ("max", "mах"),
    ])
    func aLookAlikeHasTheSameSkeleton(name: String, other: String) throws {
        #expect(try PeerName(name).skeleton == PeerName(other).skeleton, "\(name) and \(other)")
    }

    @Test(arguments: [
        ("bob", "rob"), ("zoe", "zoë"), ("peer2", "peer3"), ("日本", "日木"), ("anna", "ana"), ("bob", "dob"),
        ("bob", "bob²"), ("カナ", "ｶﾇ"),
    ])
    func whatLooksDifferentStaysApart(name: String, other: String) throws {
        #expect(try PeerName(name).skeleton != PeerName(other).skeleton, "\(name) and \(other)")
    }

    @Test func nobodyPutsAMarkBehindTheirOwnName() throws {
        #expect(try PeerName("bob ✓").withoutMarks == "bob ?")
        #expect(try PeerName("bob*").withoutMarks == "bob?")
        #expect(try PeerName("Zoë Müller").withoutMarks == "Zoë Müller")
    }
}
