import LatticeWire

/// The style of a sealed line, as stored in the column `style`.
struct LineStyle {
    private static let action: Int64 = 1
    private static let notice: Int64 = 2

    let number: Int64

    var isAction: Bool { number & Self.action != 0 }
    var isNotice: Bool { number & Self.notice != 0 }

    init(number: Int64) {
        self.number = number
    }

    init(isAction: Bool, isNotice: Bool) {
        number = (isAction ? Self.action : 0) | (isNotice ? Self.notice : 0)
    }

    init(_ line: ChatLine) {
        self.init(isAction: line.style == .acts, isNotice: line.isNotice)
    }
}
