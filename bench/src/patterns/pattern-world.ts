import { CloudWatchClient, GetMetricStatisticsCommand } from '@aws-sdk/client-cloudwatch'
import type { CreateTableCommandInput, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { SPENT_INDEXES } from '@isotherm/local'
import { type Random, SeededRandom, VirtualClock } from '@isotherm/runtime'
import { type EngineLane, engineLane, lightClient } from '@isotherm/simulation/world'

/** As within one region. */
const LATENCY_MILLISECONDS = { from: 2, to: 8 }

/** As the SDK's default. */
const SDK_ATTEMPTS = 3

const MINUTE = 60_000

/** What a request has cost. */
export interface Cost {
  requests: number
  readUnits: number
  writeUnits: number
}

export interface PatternWorldOptions {
  readonly seed: number
  /** Of all answers, those that are lost. */
  readonly lostReplies?: number
  /** Units a second that the account allows one table. */
  readonly tableUnitsPerSecond?: number
  /** Whether indexes have spent what they saved, as after a long load. */
  readonly withSpentIndexes?: boolean
  /** Whether the metrics of CloudWatch are recorded. */
  readonly metrics?: boolean
}

/** The service on virtual time, and clients that reach it over a network with delays. It sums what their requests cost. */
export class PatternWorld {
  readonly clock = new VirtualClock()
  readonly lane: EngineLane
  readonly cost: Cost = { requests: 0, readUnits: 0, writeUnits: 0 }
  readonly #from = this.clock.now()
  readonly #random: Random
  readonly #lostReplies: number

  constructor(options: PatternWorldOptions) {
    const { seed, lostReplies = 0, tableUnitsPerSecond, withSpentIndexes = false, metrics = false } = options
    const { clock } = this
    const spent = withSpentIndexes ? SPENT_INDEXES : undefined
    const capacity = {
      ...spent?.capacity,
      ...(tableUnitsPerSecond === undefined ? {} : { tableUnitsPerSecond }),
    }
    this.lane = engineLane({
      clock,
      random: new SeededRandom(seed),
      ...(metrics ? {} : { metrics }),
      ...spent,
      capacity,
    })
    this.#random = new SeededRandom(seed + 1)
    this.#lostReplies = lostReplies
  }

  /** A client of one process. */
  client(seed: number): DynamoDBClient {
    const random = new SeededRandom(seed)
    const deliver = async (operation: string, input: object) => {
      await this.#travel()
      const answer = await this.lane.execute(operation, { ...input, ReturnConsumedCapacity: 'TOTAL' })
      this.#count(operation, answer.output)
      await this.#travel()
      if (this.#random.next() < this.#lostReplies)
        throw Object.assign(new Error('No answer came.'), { name: 'TimeoutError' })
      return answer
    }
    return lightClient({ clock: this.clock, random, deliver }, SDK_ATTEMPTS)
  }

  async create(table: CreateTableCommandInput): Promise<void> {
    await this.lane.execute('CreateTable', table)
  }

  /** Forgets what was counted. @returns what it was */
  takeCost(): Cost {
    const taken = { ...this.cost }
    Object.assign(this.cost, { requests: 0, readUnits: 0, writeUnits: 0 })
    return taken
  }

  /** The sum of a metric of CloudWatch for an index since the beginning. */
  async indexMetric(MetricName: string, table: string, index: string): Promise<number> {
    const cloudWatch = new CloudWatchClient({ ...this.lane.local.connection() })
    const { Datapoints = [] } = await cloudWatch.send(
      new GetMetricStatisticsCommand({
        Namespace: 'AWS/DynamoDB',
        MetricName,
        Dimensions: [
          { Name: 'TableName', Value: table },
          { Name: 'GlobalSecondaryIndexName', Value: index },
        ],
        StartTime: new Date(this.#from),
        EndTime: new Date(this.clock.now() + MINUTE),
        Period: 60,
        Statistics: ['Sum'],
      }),
    )
    cloudWatch.destroy()
    return Datapoints.reduce((sum, { Sum = 0 }) => sum + Sum, 0)
  }

  async close(): Promise<void> {
    await this.lane.local.close()
  }

  #count(operation: string, { ConsumedCapacity }: Record<string, unknown>): void {
    const units = [ConsumedCapacity ?? []].flat() as { readonly CapacityUnits?: number }[]
    const sum = units.reduce((all, { CapacityUnits = 0 }) => all + CapacityUnits, 0)
    this.cost.requests += 1
    if (/Get|Query|Scan/.test(operation)) this.cost.readUnits += sum
    else this.cost.writeUnits += sum
  }

  async #travel(): Promise<void> {
    const { from, to } = LATENCY_MILLISECONDS
    await this.clock.sleep((from + this.#random.next() * (to - from)) / 2)
  }
}
