import type { Awaitable } from './storage.js'

/**
 * Lets a write go its way that no answer depends on, such as a partition's new border. When it fails, the store has told
 * about it, and what it would have kept is found out or done again later.
 */
export function inBackground(written: Awaitable<void>): void {
  if (written instanceof Promise) written.catch(() => {})
}
