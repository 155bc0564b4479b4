/// Values that are each taken out once, by number; numbers are reused.
struct Pool<Element> {
    private var slots: [Element?] = []
    private var free: [Int32] = []

    var count: Int { slots.count - free.count }

    mutating func put(_ element: consuming Element) -> Int {
        guard let slot = free.popLast() else {
            slots.append(element)
            return slots.count - 1
        }
        slots[Int(slot)] = element
        return Int(slot)
    }

    mutating func take(_ number: UInt32) -> Element {
        guard let element = slots[Int(number)].take() else {
            preconditionFailure("what lies in a pool is taken once")
        }
        free.append(Int32(number))
        return element
    }
}
