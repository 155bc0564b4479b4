import LatticeStore
import Testing

/// Whether a file fits on its disk.
@Suite struct DiskSpaceTests {
    private static let gigabyte: Int64 = 1 << 30

    private static func disk(_ device: UInt64 = 1, free: Int64, of total: Int64) -> DiskSpace {
        DiskSpace(device: device, freeBytes: free, totalBytes: total)
    }

    @Test func aPartOfTheDiskStaysFree() {
        #expect(Self.disk(free: 100, of: 1_000).usableBytes == 50)
        #expect(Self.disk(free: 50, of: 1_000).usableBytes == 0)
        #expect(Self.disk(free: 0, of: 1_000).usableBytes == 0)
        // 5 % of a large disk is more than anything else here needs.
        #expect(Self.disk(free: 10 * Self.gigabyte, of: 4_000 * Self.gigabyte).usableBytes == 9 * Self.gigabyte)
        #expect(Self.disk(free: .max, of: .max).usableBytes == .max - Self.gigabyte)
    }

    @Test func whatGoesToOneDiskCountsTogether() {
        let (store, other) = (Self.disk(1, free: 1_000, of: 1_000), Self.disk(2, free: 1_000, of: 1_000))
        #expect(SpaceNeeded.missing([]) == nil)
        #expect(SpaceNeeded.missing([("/a", 950, store)]) == nil)
        #expect(
            SpaceNeeded.missing([("/a", 951, store)])
                == SpaceNeeded(path: "/a", neededBytes: 951, usableBytes: 950))
        #expect(SpaceNeeded.missing([("/a", 500, store), ("/b", 500, other)]) == nil)
        #expect(
            SpaceNeeded.missing([("/a", 500, store), ("/c", 500, store)])
                == SpaceNeeded(path: "/a", neededBytes: 1_000, usableBytes: 950))
        #expect(
            SpaceNeeded.missing([("/a", 500, store), ("/b", 999, other)])
                == SpaceNeeded(path: "/b", neededBytes: 999, usableBytes: 950))
    }
}
