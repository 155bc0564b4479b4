package import LatticeAPI
import LatticeControl

/// Copies bytes between a stream and standard input and output, in both directions at once.
package struct PipeRun: Sendable {
    let node: any MeshNode
    let stream: Int

    package init(node: any MeshNode, stream: Int) {
        self.node = node
        self.stream = stream
    }

    /// - Parameter hasInput: whether standard input is sent.
    package func run(hasInput: Bool) async -> PipeEnd {
        let end: PipeEnd
        do throws(RequestError) {
            let socket = try await attached()
            end = await carry(hasInput: hasInput, by: socket)
            if end != .done { await giveUp(end.reason ?? .ended) }
            // Its threads may still wait for it.
            socket?.end()
        } catch {
            await giveUp(.ended)
            return PipeEnd(error)
        }
        return end
    }

    /// - Returns: a connection for the bytes; `nil` if the node is in this process.
    private func attached() async throws(RequestError) -> StreamSocket? {
        guard let client = node as? ControlClient else { return nil }
        let result: Result<StreamSocket, RequestError>? = await PipeLane.output.run { [stream] in
            do throws(RequestError) {
                return .success(try client.attach(to: stream))
            } catch {
                return .failure(error)
            }
        }
        guard let result else { throw .stopped(why: .cancelled) }
        return try result.get()
    }

    private func carry(hasInput: Bool, by socket: StreamSocket?) async -> PipeEnd {
        await withTaskGroup(of: PipeEnd.self) { group in
            group.addTask { await self.send(hasInput: hasInput, by: socket) }
            group.addTask { await self.receive(by: socket) }
            for await end in group where end != .done {
                group.cancelAll()
                return end
            }
            return .done
        }
    }

    private func send(hasInput: Bool, by socket: StreamSocket?) async -> PipeEnd {
        do {
            if let socket {
                if hasInput {
                    guard try await PipeLane.input.copy(to: socket) else { return .interrupted }
                } else {
                    socket.finishSending()
                }
                await finish()
                return .done
            }
            while hasInput {
                guard let bytes = try await PipeLane.input.read(atMost: SendBytes.bytesMax) else {
                    return .interrupted
                }
                if bytes.isEmpty { break }
                _ = try await node.perform(SendBytes(stream, bytes))
            }
            _ = try await node.perform(FinishStream(stream))
            return .done
        } catch let error as RequestError {
            return PipeEnd(error)
        } catch let fault as PipeLane.Fault {
            return .readFailed(fault.number)
        } catch {
            return .interrupted
        }
    }

    /// Says that the connection that carries the bytes was not closed early.
    private func finish() async {
        do {
            _ = try await node.perform(FinishStream(stream))
        } catch {
            // `receive` learns why the stream broke, after what came before.
        }
    }

    private func receive(by socket: StreamSocket?) async -> PipeEnd {
        do {
            if let socket, try await !PipeLane.output.copy(from: socket) { return .interrupted }
            // The end is received a second time when both directions have ended; until then the other side may still be
            // lost.
            var endsHeard = 0
            while endsHeard < 2 {
                let received = try await node.perform(ReceiveBytes(stream))
                if received.isEnd { endsHeard += 1 }
                guard try await PipeLane.output.write(received.bytes) else { return .interrupted }
            }
            return .done
        } catch let error as RequestError {
            return PipeEnd(error)
        } catch let fault as PipeLane.Fault {
            return .writeFailed(fault.number)
        } catch {
            return .interrupted
        }
    }

    private func giveUp(_ reason: StreamReason) async {
        do {
            _ = try await node.perform(ResetStream(stream, reason))
        } catch {
            // It has ended already.
        }
    }
}
