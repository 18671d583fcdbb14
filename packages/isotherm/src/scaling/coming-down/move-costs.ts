import {
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type TableDescription,
  type TimeToLiveDescription,
} from '@aws-sdk/client-dynamodb'
import { TRANSACTIONAL_PRICE } from '@isotherm/semantics'
import type { MovingTable } from '../../protocol/index.js'

/** What it costs to move an item of a table. */
export interface MoveCosts {
  /** Write units for each started kilobyte of an item: at most, because an index may not include the whole item. */
  readonly unitsPerKilobyte: number
  /** The attribute with the time at which the service deletes an item; `undefined` if it deletes none. */
  readonly timeToLive: string | undefined
}

/** A mark, a put and a deletion. */
const MARK = 1
const PUT_AND_DELETE = 2

/** Both descriptions have low rate limits, and rarely change. */
const LIFETIME_MILLISECONDS = 3_600_000

/** A description that failed, because of the network or a limit, may succeed soon. */
const FAILED_MILLISECONDS = 60_000

/** Reads what it costs to move an item, and caches it for an hour, or for a minute if a description failed. */
export class MoveCostReader {
  readonly #table: MovingTable
  #costs: Promise<MoveCosts> | undefined
  #validUntil = Number.NEGATIVE_INFINITY

  constructor(table: MovingTable) {
    this.#table = table
  }

  /** Without the permission for a description, the costs are those of a table without indexes or a time to live. */
  read(): Promise<MoveCosts> {
    const now = this.#table.clock.now()
    if (this.#costs === undefined || now >= this.#validUntil) {
      this.#validUntil = now + LIFETIME_MILLISECONDS
      this.#costs = this.#fetch()
    }
    return this.#costs
  }

  async #fetch(): Promise<MoveCosts> {
    const { client, clock, options } = this.#table
    const ofTable = { TableName: options.name }
    const [table, expiry] = await Promise.allSettled([
      client.send(new DescribeTableCommand(ofTable)),
      client.send(new DescribeTimeToLiveCommand(ofTable)),
    ])
    if (table.status === 'rejected' || expiry.status === 'rejected')
      this.#validUntil = clock.now() + FAILED_MILLISECONDS
    return {
      unitsPerKilobyte: this.#unitsPerKilobyte(table.status === 'fulfilled' ? table.value.Table : undefined),
      timeToLive: attributeOf(expiry.status === 'fulfilled' ? expiry.value.TimeToLiveDescription : undefined),
    }
  }

  /**
   * An index has the entry of each copy, and the mark if it includes all attributes. The table's transactional price does not
   * apply to it. A replica in another region repeats every write.
   */
  #unitsPerKilobyte(table: TableDescription | undefined): number {
    const price = this.#table.options.transactions ? TRANSACTIONAL_PRICE : 1
    const indexes = (table?.GlobalSecondaryIndexes?.length ?? 0) + (table?.LocalSecondaryIndexes?.length ?? 0)
    const own = MARK + PUT_AND_DELETE * price
    const regions = 1 + (table?.Replicas?.length ?? 0)
    return (own + indexes * (MARK + PUT_AND_DELETE)) * regions
  }
}

function attributeOf(description: TimeToLiveDescription | undefined): string | undefined {
  const isOn = description?.TimeToLiveStatus === 'ENABLED' || description?.TimeToLiveStatus === 'ENABLING'
  return isOn ? description.AttributeName : undefined
}
