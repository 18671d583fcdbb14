import type { Clock, Random } from '@isotherm/runtime'
import type { PhysicalClient } from '../sdk/physical-client.js'
import { MoveSender } from './move-sender.js'
import { UnitPace } from './unit-pace.js'

/** Work on a whole table at a limited rate. */
export interface PacedWork {
  readonly client: PhysicalClient
  readonly clock: Clock
  readonly random: Random
  readonly unitsPerSecond: number
  readonly signal: AbortSignal | undefined
}

/** Consecutive throttles before the work fails. With the waits between them, they take a few minutes. */
const MAX_ATTEMPTS = 30

/** Returns a sender that uses no more than a fixed number of units each second. */
export function pacedSender({ client, clock, random, unitsPerSecond, signal }: PacedWork): MoveSender {
  const pace = new UnitPace(clock, unitsPerSecond)
  return new MoveSender({ client, clock, random }, { maxAttempts: MAX_ATTEMPTS, pace, signal })
}
