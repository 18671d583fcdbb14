import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { randomInteger } from '@isotherm/runtime'
import type { Process } from '../world/process.js'
import { Violation } from '../world/violation.js'
import type { WorkloadTable } from '../world/workload-table.js'
import type { World } from '../world/world.js'
import { atRate } from './at-rate.js'
import { mayHaveBeenDone, requireExpected } from './expected-error.js'
import type { Attributes } from './item-operations.js'
import type { Client, Workload } from './workload.js'

export interface CountersOptions {
  readonly table: WorkloadTable
  readonly countsPerSecond: number
  readonly readsPerSecond: number
  readonly processes: number
  readonly counters: number
}

interface Counter {
  readonly key: Attributes
  /** Counts that are known to be done, and those that may be. */
  sure: number
  perhaps: number
}

/**
 * Counters with tokens: each count carries a number that its process never used before, so that it may be sent again
 * until it is known to be done. Each must be counted once.
 */
export class Counters implements Workload {
  readonly name = 'counters'
  readonly tables: readonly WorkloadTable[]
  readonly #world: World
  readonly #options: CountersOptions
  readonly #counters: readonly Counter[]

  constructor(world: World, options: CountersOptions) {
    this.#world = world
    this.#options = options
    this.tables = [options.table]
    const { table, counters } = options
    this.#counters = Array.from({ length: counters }, (_, index) => ({
      key: { [table.partitionKey]: { S: 'campaign' }, [table.sortKey]: { S: `counter${index}` } },
      sure: 0,
      perhaps: 0,
    }))
  }

  existing(): readonly Attributes[] {
    return this.#counters.map((counter) => {
      counter.sure = 1
      return { ...counter.key, n: { N: '1' } }
    })
  }

  begin(process: Process, db: Client): void {
    this.#count(process, db).catch((error: unknown) => this.#world.guard(error))
    const { readsPerSecond, processes } = this.#options
    atRate(
      this.#world,
      process,
      () => readsPerSecond / processes,
      () => this.#look(process, db),
    )
  }

  async touch(_process: Process, db: Client): Promise<void> {
    for (const { key } of this.#counters.slice(0, 1)) await this.#read(db, key)
  }

  neighbours(): readonly string[] {
    return []
  }

  async conclude(process: Process, db: Client): Promise<void> {
    for (const counter of this.#counters) this.#check(process, counter, await this.#read(db, counter.key))
  }

  /** Somebody reads while others count: what was done before is in it, and no more than may have been done since. */
  async #look(process: Process, db: DynamoDBClient): Promise<void> {
    const counter = this.#counters[randomInteger(process.random, 0, this.#counters.length - 1)]
    if (counter === undefined) return
    const { sure } = counter
    try {
      this.#check(process, counter, await this.#read(db, counter.key), sure)
    } catch (error) {
      if (error instanceof Violation) throw error
      requireExpected(error)
    }
  }

  /** @throws Violation */
  #check({ name }: Process, counter: Counter, counted: number, sureBefore = counter.sure): void {
    const { key, sure, perhaps } = counter
    const atMost = sure + perhaps
    if (counted >= sureBefore && counted <= atMost) return
    const seen = `${name} reads ${counted}; ${sureBefore} are known to be done, and ${atMost - sureBefore} more may be`
    const { sortKey } = this.#options.table
    throw new Violation('every count is counted once', seen, ['campaign', String(key[sortKey]?.S)])
  }

  async #read(db: DynamoDBClient, Key: Attributes): Promise<number> {
    const read = { TableName: this.#options.table.name, Key, ConsistentRead: true }
    const { Item } = await db.send(new GetItemCommand(read))
    return Number(Item?.n?.N ?? 0)
  }

  /** One count after the other: a token is larger than those before it. */
  async #count(process: Process, db: DynamoDBClient): Promise<void> {
    const { countsPerSecond, processes } = this.#options
    for (let token = 1; this.#world.isLoading; token++) {
      await process.clock.sleep((-Math.log(1 - process.random.next()) * 1_000 * processes) / countsPerSecond)
      const counter = this.#counters[randomInteger(process.random, 0, this.#counters.length - 1)]
      if (counter === undefined || !this.#world.isLoading) return
      counter.perhaps += 1
      await this.#untilDone(process, db, counter, token)
      counter.perhaps -= 1
      counter.sure += 1
    }
  }

  async #untilDone(process: Process, db: DynamoDBClient, { key }: Counter, token: number): Promise<void> {
    let isPerhapsDone = false
    for (;;) {
      try {
        await db.send(this.#command(process, key, token))
        return
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) {
          isPerhapsDone ||= (error.$metadata.attempts ?? 1) > 1
          if (isPerhapsDone) return
          throw new Violation('a token is new when it is used first', `${process.name} ${token}`, [
            'campaign',
          ])
        }
        isPerhapsDone = mayHaveBeenDone(error, this.#world) || isPerhapsDone
        await process.clock.sleep(300 * process.random.next())
      }
    }
  }

  #command({ name }: Process, Key: Attributes, token: number): UpdateItemCommand {
    return new UpdateItemCommand({
      TableName: this.#options.table.name,
      Key,
      UpdateExpression: 'SET #last = :token ADD n :one',
      ConditionExpression: 'attribute_not_exists(#last) OR #last < :token',
      ExpressionAttributeNames: { '#last': `last_of_${name}` },
      ExpressionAttributeValues: { ':token': { N: String(token) }, ':one': { N: '1' } },
    })
  }
}
