import { type DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { createLocal } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
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
export async function inWorld(
  seed: number,
  run: (client: DynamoDBClient, clock: VirtualClock) => Promise<RotationOutcome>,
): Promise<RotationOutcome> {
  const clock = new VirtualClock(BEGINNING)
  const local = createLocal({ clock, random: new SeededRandom(seed + 1), throttle: false })
  const client = local.client()
  // A client's first request looks for its configuration in files, which virtual time cannot wait for.
  await client.send(new ListTablesCommand({}))
  try {
    let outcome: RotationOutcome | undefined
    await clock.run(async () => {
      outcome = await run(client, clock)
    })
    if (outcome === undefined) throw new Error('The scenario has not ended.')
    return outcome
  } finally {
    client.destroy()
    await local.close()
  }
}
