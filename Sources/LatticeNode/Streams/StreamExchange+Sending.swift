package import LatticeAPI

extension StreamExchange {
    /// Sends what fits now, without waiting.
    ///
    /// - Parameter append: adds at most `SendBytes.bytesMax` bytes. It must not block.
    /// - Returns: whether there was space; otherwise it was not called.
    package func sendNow(on number: Int, _ append: (inout [UInt8]) -> Void) throws(RequestError) -> Bool {
        var result: Result<Bool, StreamFault> = .success(false)
        _ = changeNoting { table, effects in
            do throws(StreamFault) {
                result = .success(try table.send(on: number, into: &effects, append))
            } catch {
                result = .failure(error)
            }
        }
        switch result {
        case .success(let isTaken): return isTaken
        case .failure(let fault): throw RequestError(fault)
        }
    }
}
