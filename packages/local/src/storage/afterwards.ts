import type { Awaitable } from './storage.js'

/** Continues with a result: at once in memory, and when it is available on disk. */
export function afterwards<T, U>(result: Awaitable<T>, next: (value: T) => U): Awaitable<U> {
  return result instanceof Promise ? result.then(next) : next(result)
}
