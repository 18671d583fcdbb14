import type { CreateTableCommandInput, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { SeededRandom, SystemClock, VirtualClock } from '@isotherm/runtime'
import { type EngineLane, engineLane, lightClient } from '@isotherm/simulation/world'

const wallClock = new SystemClock()

/** What something has taken. */
export interface Taken {
  readonly requests: number
  /** Requests that waited for the answer of one before. */
  readonly inSequence: number
  readonly readUnits: number
  readonly writeUnits: number
  /** On this machine, with the engine in the same process. */
  readonly milliseconds: number
}

/** An engine that refuses nothing. Each request takes a millisecond of virtual time, so that those in sequence can be counted. */
export class MeasuredEngine {
  readonly clock = new VirtualClock()
  readonly client: DynamoDBClient
  readonly #lane: EngineLane
  #counts = { requests: 0, readUnits: 0, writeUnits: 0 }

  constructor() {
    const { clock } = this
    this.#lane = engineLane({ clock, random: new SeededRandom(1), metrics: false, throttle: false })
    const deliver = async (operation: string, input: object) => {
      await clock.sleep(1)
      const answer = await this.#lane.execute(operation, { ...input, ReturnConsumedCapacity: 'TOTAL' })
      this.#count(operation, answer.output)
      return answer
    }
    this.client = lightClient({ clock, random: new SeededRandom(2), deliver }, 3)
  }

  async create(table: CreateTableCommandInput): Promise<void> {
    await this.#lane.execute('CreateTable', table)
  }

  async measure(work: () => Promise<unknown>): Promise<Taken> {
    this.#counts = { requests: 0, readUnits: 0, writeUnits: 0 }
    const [virtual, real] = [this.clock.now(), wallClock.now()]
    await work()
    const milliseconds = wallClock.now() - real
    return { ...this.#counts, inSequence: Math.round(this.clock.now() - virtual), milliseconds }
  }

  async close(): Promise<void> {
    await this.#lane.local.close()
  }

  #count(operation: string, { ConsumedCapacity }: Record<string, unknown>): void {
    const units = [ConsumedCapacity ?? []].flat() as { readonly CapacityUnits?: number }[]
    const sum = units.reduce((all, { CapacityUnits = 0 }) => all + CapacityUnits, 0)
    const isRead = /Get|Query|Scan/.test(operation)
    this.#counts.requests += 1
    this.#counts[isRead ? 'readUnits' : 'writeUnits'] += sum
  }
}
