import { invalidOption } from '../../options/check.js'
import type { ObjectStore } from './object-store.js'

/** @throws IsothermError `options.invalid` */
export function requireObjectStore(option: string, value: unknown): ObjectStore {
  const isStore = ['put', 'get', 'delete'].every(
    (method) => typeof (Object(value) as Record<string, unknown>)[method] === 'function',
  )
  if (isStore) return value as ObjectStore
  throw invalidOption(
    option,
    value,
    'an object store, such as directoryStore(folder) or s3Store(client, { bucket })',
  )
}
