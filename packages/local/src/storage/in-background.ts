import type { Awaitable } from './storage.js'

/**
 * Starts a write that no response depends on, such as a partition's new border, and ignores its failure. The store
 * reports the failure itself, and the lost value is found or written again later.
 */
export function inBackground(written: Awaitable<void>): void {
  if (written instanceof Promise) written.catch(() => {})
}
