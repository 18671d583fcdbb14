import { serializationException } from '../errors/service-error.js'
import type { Shape } from './shape.js'

/** A time, which `timeOf` reads. */
export const TIME = { type: 'attribute-value' } as const satisfies Shape

/**
 * A time of a request in milliseconds since the epoch. It is a number of seconds over HTTP, and a `Date` from a client in
 * this process.
 * @throws ServiceError
 */
export function timeOf(member: string, value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined
  if (value instanceof Date) return value.getTime()
  if (typeof value === 'number') return value * 1000
  throw serializationException(`${member} must be a number of seconds since 1970`)
}
