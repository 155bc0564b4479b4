import LatticeAPI

/// A node whose requests are carried out on the global pool: some search the store or agree on keys, which would hold up
/// the links of a node on whose loop the front runs.
struct PooledNode: MeshNode {
    let node: any MeshNode

    func perform<R: Request>(_ request: R) async throws(RequestError) -> R.Reply {
        try await withTaskExecutorPreference(globalConcurrentExecutor) { () async throws(RequestError) -> R.Reply in
            try await node.perform(request)
        }
    }

    func events() async -> NodeEvents { await node.events() }
}
