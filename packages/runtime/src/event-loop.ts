/**
 * Calls back when the event loop has turned: when the process has looked up from what it does now and from every promise
 * that follows from it. No clock tells of that, a virtual one least of all.
 *
 * @example
 * onNextTurn(() => file.flush())
 */
export function onNextTurn(work: () => void): void {
  setImmediate(work)
}

/**
 * Calls back again and again, until it is told that it was enough; between any two calls every promise that follows
 * from the one before comes to rest. Many calls share a turn of the event loop, which costs ten times what a call does.
 *
 * @param perTurn calls in one turn: so long nothing else in the process gets its turn
 * @param work whether it wants to be called again
 * @example
 * onNextTurns(256, () => makeOneStep())
 */
export function onNextTurns(perTurn: number, work: () => boolean): void {
  let isDone = false
  const call = () => {
    if (!isDone) isDone = !work()
  }
  const turn = () => {
    for (let calls = 0; calls < perTurn; calls++) setImmediate(call)
    // Behind them in the queue, so it sees whether they were enough.
    setImmediate(() => {
      if (!isDone) turn()
    })
  }
  turn()
}
