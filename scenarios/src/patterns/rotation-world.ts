import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { VirtualClock } from '@isotherm/runtime'
import { inLocalWorld } from './local-world.js'
import { BEGINNING } from './log-lines.js'

/** What came of half a year of a log. */
export interface RotationOutcome {
  readonly written: number
  readonly misplaced: number
  readonly found: number
  readonly refused: number
  readonly archived: number
  readonly archivedLines: number
  readonly lost: number
  readonly tables: number
}

/** Runs a log on an engine of its own, on virtual time. */
export function inWorld(
  seed: number,
  run: (client: DynamoDBClient, clock: VirtualClock) => Promise<RotationOutcome>,
): Promise<RotationOutcome> {
  return inLocalWorld({ seed, from: BEGINNING, throttle: false }, ({ client, clock }) => run(client, clock))
}
