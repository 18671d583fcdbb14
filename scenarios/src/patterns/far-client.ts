import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { Clock, Random } from '@isotherm/runtime'

/** As within one region. */
const LATENCY_MILLISECONDS = { from: 2, to: 12 }

/** Of the process that a client belongs to. */
export class Ended extends Error {
  override readonly name = 'Ended'
}

/** What happens on the way between a process and the service. */
export interface Way {
  readonly clock: Clock
  readonly random: Random
  /** Share of the requests with which the process ends, before or after they were carried out. */
  readonly endings: number
}

/** A client whose requests take time, and whose process may end with any of them. */
export function farClient(client: DynamoDBClient, { clock, random, endings }: Way): DynamoDBClient {
  let hasEnded = false
  const travel = async () => {
    const { from, to } = LATENCY_MILLISECONDS
    await clock.sleep((from + random.next() * (to - from)) / 2)
    if (hasEnded || random.next() < endings / 2) {
      hasEnded = true
      throw new Ended('The process has ended.')
    }
  }
  const send = async (command: never, options: never) => {
    await travel()
    const output = await client.send(command, options)
    await travel()
    return output
  }
  return Object.create(client, { send: { value: send } }) as DynamoDBClient
}
