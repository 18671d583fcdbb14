/**
 * Calls back on the next turn of the event loop: after the current work of the process and every promise that follows
 * from it. No clock can report that moment, a virtual one least of all.
 *
 * @example
 * onNextTurn(() => file.flush())
 */
export function onNextTurn(work: () => void): void {
  setImmediate(work)
}

/**
 * Calls back repeatedly until the callback has done enough. Between two calls, every promise that follows from the
 * first one settles. Many calls share a turn of the event loop, because a turn costs ten times as much as a call.
 *
 * @param perTurn calls in one turn; meanwhile nothing else in the process gets its turn
 * @param work returns whether it wants to be called again
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
    // Queued behind the calls of this turn, so it sees whether they were enough.
    setImmediate(() => {
      if (!isDone) turn()
    })
  }
  turn()
}
