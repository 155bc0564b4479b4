import LatticeAPI
import LatticeCore

/// What is urgent and was not dismissed, as it stands above the prompt.
struct UrgentPins {
    private var pins: [NotificationInfo] = []

    var isEmpty: Bool { pins.isEmpty }

    /// Takes over what the node lists.
    mutating func take(_ listed: [NotificationInfo]) {
        pins = Array(listed.prefix(ListUrgent.shownMax))
    }

    mutating func came(_ one: NotificationInfo) {
        pins.removeAll { $0.record == one.record }
        pins.insert(one, at: 0)
        if pins.count > ListUrgent.shownMax { pins.removeLast() }
    }

    /// These were dismissed, or their author deleted them.
    mutating func went(_ records: [RecordID]) {
        pins.removeAll { records.contains($0.record) }
    }

    /// Newest first, each safe to show on one line; the screen cuts it.
    ///
    /// - Parameters:
    ///   - isUnheard: whether this person ignores or blocks somebody.
    ///   - name: of an author, safe to show.
    func lines(isUnheard: (PeerID) -> Bool, name: (PersonInfo) -> String) -> [String] {
        pins.filter { !isUnheard($0.by.id) }.map { one in
            let place = one.room.map { " in \(DisplayText.isolated($0.text))" } ?? ""
            return "URGENT \(name(one.by))\(place): \(MessageText.line(one.text ?? one.item?.text ?? ""))"
        }
    }
}
