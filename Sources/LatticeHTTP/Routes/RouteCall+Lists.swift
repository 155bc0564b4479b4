import LatticeAPI
import LatticeCore

/// Pages of lists that are complete in memory.
extension RouteCall {
    /// - Parameters:
    ///   - usual: the default page size.
    ///   - name: the name of an element; that of the last one is the cursor.
    /// - Throws: `HTTPProblem` if the cursor names no element any more.
    func part<Value>(
        of list: [Value], usual: Int = PostLimit.pageSize, named name: (Value) -> String
    ) throws(HTTPProblem) -> (items: ArraySlice<Value>, next: JSON?) {
        let limit = try limit(or: usual)
        var rest = list[...]
        if let after = query("after") {
            guard let index = list.firstIndex(where: { name($0) == after }) else {
                throw .invalid(
                    HTTPProblem.Fault("after", "this page no longer exists; start again from the first one"))
            }
            rest = list[(index + 1)...]
        }
        let items = rest.prefix(limit)
        return (items, items.count < rest.count ? items.last.map { .text(name($0)) } : nil)
    }
}
