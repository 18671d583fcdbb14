import { LocalError } from './local-error.js'

/** Whether an error says that a part of a data directory is damaged. The store has reported it already. */
export function isDamage(error: unknown): boolean {
  return error instanceof LocalError && error.code === 'storage.damaged'
}
