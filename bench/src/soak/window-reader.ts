import { type DynamoDBClient, paginateQuery } from '@aws-sdk/client-dynamodb'
import type { Clock } from '@isotherm/runtime'
import type { AppendLedger } from './append-ledger.js'
import { LOG } from './soak-tables.js'

const WINDOW_MILLISECONDS = 2_000
const PAUSE_MILLISECONDS = 3_000

/** Reads the newest appends of the hot key, and compares them with those that were acknowledged before. */
export class WindowReader {
  readonly #db: DynamoDBClient
  readonly #ledger: AppendLedger
  readonly #clock: Clock
  #queries = 0
  #found = 0
  #missing = 0
  #twice = 0
  #unordered = 0

  constructor(db: DynamoDBClient, ledger: AppendLedger, clock: Clock) {
    this.#db = db
    this.#ledger = ledger
    this.#clock = clock
  }

  get totals() {
    return {
      queries: this.#queries,
      found: this.#found,
      missing: this.#missing,
      twice: this.#twice,
      unordered: this.#unordered,
    }
  }

  /** @param fileAt the hot key at a moment; `idAt` the first sort key of a moment */
  async readUntil(
    until: number,
    fileAt: (moment: number) => string,
    idAt: (moment: number) => number,
  ): Promise<void> {
    while (this.#clock.now() < until) {
      const from = idAt(this.#clock.now() - WINDOW_MILLISECONDS)
      // A query may fail while the service is killed. The next one asks again.
      await this.#read(fileAt(this.#clock.now()), from).catch(() => undefined)
      await this.#clock.sleep(PAUSE_MILLISECONDS)
    }
  }

  async #read(file: string, from: number): Promise<void> {
    const expected = this.#ledger.recentOf(file, from)
    const input = {
      TableName: LOG,
      KeyConditionExpression: 'file = :file AND #at >= :from',
      ProjectionExpression: '#at',
      ExpressionAttributeNames: { '#at': 'at' },
      ExpressionAttributeValues: { ':file': { S: file }, ':from': { N: String(from) } },
      ConsistentRead: true,
    }
    const found: number[] = []
    for await (const { Items = [] } of paginateQuery({ client: this.#db }, input)) {
      for (const { at } of Items) found.push(Number(at?.N))
    }
    const times = new Map<number, number>()
    for (const at of found) times.set(at, (times.get(at) ?? 0) + 1)
    this.#queries++
    for (const { at } of expected) {
      if (times.has(at)) this.#found++
      else this.#missing++
    }
    for (const [at, count] of times) if (count > 1 && !this.#ledger.mayBeStoredTwice(at)) this.#twice++
    if (found.some((at, index) => index > 0 && at < (found[index - 1] ?? 0))) this.#unordered++
  }
}
