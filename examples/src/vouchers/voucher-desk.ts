import { setTimeout as sleep } from 'node:timers/promises'
import {
  type DynamoDBClient,
  GetItemCommand,
  TransactionCanceledException,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb'
import { type Pool, pool } from 'isotherm/pool'

const RETRY_MILLISECONDS = 20

/** A voucher that a customer got. */
export interface GivenVoucher {
  readonly code: string
  readonly euros: number
}

/**
 * Gives voucher codes to customers: one to each, and no code to two of them.
 *
 * The code is marked as used in the transaction that records the customer, so that both happen or neither.
 */
export class VoucherDesk {
  readonly #db: DynamoDBClient
  readonly #customers: string
  readonly #vouchers: Pool

  /**
   * @param vouchers a table that `poolTable` describes, with the partition key `code`
   * @param customers a table with the partition key `customer`
   */
  constructor(
    db: DynamoDBClient,
    { vouchers, customers }: { readonly vouchers: string; readonly customers: string },
  ) {
    this.#db = db
    this.#customers = customers
    this.#vouchers = pool(db, { table: vouchers, partitionKey: 'code' })
  }

  /** @returns how many of the codes are new */
  async register(codes: readonly string[], euros: number): Promise<number> {
    const { added } = await this.#vouchers.add(codes.map((id) => ({ id, attributes: { euros } })))
    return added
  }

  /** @returns the same voucher each time a customer asks, and `undefined` when there are no more */
  async give(customer: string, attempts = 5): Promise<GivenVoucher | undefined> {
    const before = await this.#givenTo(customer)
    if (before !== undefined) return before
    const [claim] = await this.#vouchers.claim()
    if (claim === undefined) return undefined
    const given = { code: claim.id, euros: Number(claim.attributes.euros) }
    const Item = { customer: { S: customer }, code: { S: given.code }, euros: { N: String(given.euros) } }
    const record = {
      Put: { TableName: this.#customers, Item, ConditionExpression: 'attribute_not_exists(customer)' },
    }
    try {
      const TransactItems = [this.#vouchers.useAction(claim), record]
      await this.#db.send(new TransactWriteItemsCommand({ TransactItems }))
      return given
    } catch (error) {
      // A transaction without an answer may have been carried out: then the code stays claimed, and is not given twice.
      if (!(error instanceof TransactionCanceledException)) throw error
      await this.#vouchers.release(claim)
      // Another request of the same customer is faster, or was.
      if (attempts === 1) throw error
      await sleep(RETRY_MILLISECONDS)
      return this.give(customer, attempts - 1)
    }
  }

  left(): Promise<number> {
    return this.#vouchers.size()
  }

  async #givenTo(customer: string): Promise<GivenVoucher | undefined> {
    const Key = { customer: { S: customer } }
    const read = { TableName: this.#customers, Key, ConsistentRead: true }
    const { Item } = await this.#db.send(new GetItemCommand(read))
    return Item === undefined ? undefined : { code: Item.code?.S ?? '', euros: Number(Item.euros?.N) }
  }
}
