import Foundation
import Synchronization
import Testing

@testable import TerminalUI

@Suite(.timeLimit(.minutes(10))) struct WorkerPoolTests {
  @Test func `no job waits for one that does not end while another thread is free`() async {
    let pool = WorkerPool(width: 2)
    let gate = DispatchSemaphore(value: 0)
    let stuck = Task(executorPreference: pool) { gate.block() }
    // More tasks than threads, none of which is given to the blocked one.
    for number in 0..<20 {
      #expect(await Task(executorPreference: pool) { number }.value == number)
    }
    await withTaskGroup { group in
      for _ in 0..<20 { group.addTask(executorPreference: pool) { await Task.yield() } }
    }
    gate.signal()
    await stuck.value
  }

  @Test func `jobs that wait for a thread are run in their order`() async {
    let pool = WorkerPool(width: 1)
    let gate = DispatchSemaphore(value: 0)
    let order = Order()
    let stuck = Task(executorPreference: pool) { gate.block() }
    let tasks = (0..<10).map { number in
      Task(executorPreference: pool) { order.numbers.withLock { $0.append(number) } }
    }
    gate.signal()
    await stuck.value
    for task in tasks { await task.value }
    #expect(order.numbers.withLock { $0 } == Array(0..<10))
  }
}

private final class Order: Sendable {
  let numbers = Mutex<[Int]>([])
}

extension DispatchSemaphore {
  /// Blocks the thread, like a parser that does not end.
  fileprivate func block() { wait() }
}
