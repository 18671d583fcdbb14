import type { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { createLocal, type Local, type LocalOptions } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { warmedUp } from './warmed-up.js'

/** An engine on virtual time, for tests of the table patterns. */
export interface PatternEngine {
  readonly clock: VirtualClock
  readonly local: Local
  readonly client: DynamoDBClient
  /** Another client. Its network takes a few milliseconds, and loses answers. */
  network(seed: number, lostReplies: number): DynamoDBClient
}

export async function patternEngine(
  tables: readonly CreateTableCommand[],
  options: Omit<LocalOptions, 'clock' | 'random'> = {},
): Promise<PatternEngine> {
  const clock = new VirtualClock()
  const local = createLocal({ clock, random: new SeededRandom(1), metrics: false, ...options })
  const client = await warmedUp(local.client())
  await clock.run(async () => {
    for (const table of tables) await client.send(table)
  })
  return {
    clock,
    local,
    client,
    network: (seed, lostReplies) => {
      const far = local.client({ maxAttempts: 3 })
      loseReplies(far, clock, new SeededRandom(seed), lostReplies)
      return far
    },
  }
}

const MOST_MILLISECONDS = 5

/** A lost answer looks like a timeout, which the SDK tries again. */
function loseReplies(client: DynamoDBClient, clock: VirtualClock, random: SeededRandom, share: number): void {
  client.middlewareStack.add(
    (next) => async (args) => {
      await clock.sleep(random.next() * MOST_MILLISECONDS)
      const output = await next(args)
      await clock.sleep(random.next() * MOST_MILLISECONDS)
      if (random.next() < share) throw Object.assign(new Error('No answer came.'), { name: 'TimeoutError' })
      return output
    },
    { step: 'finalizeRequest', priority: 'low', name: 'loseReplies' },
  )
}
