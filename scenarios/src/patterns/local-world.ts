import { type DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { createLocal, SPENT_INDEXES } from '@isotherm/local'
import { type Random, SeededRandom, VirtualClock } from '@isotherm/runtime'
import type { WorldWatch } from './world-watch.js'

/** The service on this machine, in virtual time. */
export interface LocalWorld {
  /** Sends each request once. */
  readonly client: DynamoDBClient
  readonly clock: VirtualClock
  readonly random: Random
  /** Writes that partitions of an index have refused. */
  readonly indexThrottles: (table: string, index: string) => number
}

export interface LocalWorldOptions {
  readonly seed: number
  /** Milliseconds since the Unix epoch. */
  readonly from?: number
  readonly throttle: boolean
  /** Whether indexes have spent what they saved, as after a long load. */
  readonly withSpentIndexes?: boolean
  readonly watch?: WorldWatch | undefined
}

/** Runs something on an engine of its own. */
export async function inLocalWorld<Outcome>(
  { seed, from, throttle, withSpentIndexes = false, watch }: LocalWorldOptions,
  run: (world: LocalWorld) => Promise<Outcome>,
): Promise<Outcome> {
  const clock = from === undefined ? new VirtualClock() : new VirtualClock(from)
  const local = createLocal({
    ...(withSpentIndexes ? SPENT_INDEXES : {}),
    clock,
    random: new SeededRandom(seed + 1),
    throttle,
    heat: watch !== undefined,
  })
  const began = clock.now()
  const client = local.client({ maxAttempts: 1 })
  // A client's first request looks for its configuration in files, which virtual time cannot wait for.
  await client.send(new ListTablesCommand({}))
  watch?.follow(client)
  const indexThrottles = (table: string, index: string) =>
    local.partitions(table, index).reduce((sum, { write }) => sum + write.throttledRequests, 0)
  try {
    let outcome: { readonly value: Outcome } | undefined
    await clock.run(async () => {
      outcome = { value: await run({ client, clock, random: new SeededRandom(seed), indexThrottles }) }
    })
    if (outcome === undefined) throw new Error('The scenario has not ended.')
    watch?.end(local, began)
    return outcome.value
  } finally {
    client.destroy()
    await local.close()
  }
}
