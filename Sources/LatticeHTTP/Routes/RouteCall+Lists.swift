import LatticeAPI

/// Lists that are here whole, told in parts.
extension RouteCall {
    /// - Parameters:
    ///   - usual: how many where nobody says so.
    ///   - name: what names one of them; the last one's is the cursor.
    /// - Throws: `HTTPProblem` for a cursor that names none of them any more.
    func part<Value>(
        of list: [Value], usual: Int = WallLimit.pageSize, named name: (Value) -> String
    ) throws(HTTPProblem) -> (items: ArraySlice<Value>, next: JSON?) {
        let limit = try limit(or: usual)
        var rest = list[...]
        if let after = query("after") {
            guard let index = list.firstIndex(where: { name($0) == after }) else {
                throw .invalid(
                    RequestError.FieldFault("after", "this page no longer exists; start again from the first one"))
            }
            rest = list[(index + 1)...]
        }
        let items = rest.prefix(limit)
        return (items, items.count < rest.count ? items.last.map { .text(name($0)) } : nil)
    }
}
