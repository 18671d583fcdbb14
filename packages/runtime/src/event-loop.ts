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
