import {
  type DynamoDBClient,
  DynamoDBServiceException,
  GetItemCommand,
  PutItemCommand,
  ScanCommand,
  TransactionCanceledException,
  TransactWriteItemsCommand,
  type TransactWriteItemsCommandInput,
} from '@aws-sdk/client-dynamodb'
import { createTable, type TableShape } from '@isotherm/fixtures'
import { createLocal, type Local, type LocalOptions } from '../local.js'

export type Action = NonNullable<TransactWriteItemsCommandInput['TransactItems']>[number]

const transfers = createTable('transfers', ['id:N'])

export const account = (owner: string, balance: number, more: Record<string, { S: string }> = {}) => ({
  owner: { S: owner },
  balance: { N: String(balance) },
  ...more,
})
export const key = (owner: string) => ({ TableName: 'accounts', Key: { owner: { S: owner } } })
export const put = (item: Record<string, unknown>, more: object = {}): Action => ({
  Put: { TableName: 'accounts', Item: item as never, ...more },
})
export const add = (owner: string, amount: number, more: object = {}): Action => ({
  Update: {
    ...key(owner),
    UpdateExpression: 'SET balance = balance + :amount',
    ExpressionAttributeValues: { ':amount': { N: String(amount) } },
    ...more,
  },
})
export const remove = (owner: string, more: object = {}): Action => ({ Delete: { ...key(owner), ...more } })
export const check = (owner: string, ConditionExpression: string, more: object = {}): Action => ({
  ConditionCheck: { ...key(owner), ConditionExpression, ...more },
})
export const record = (id: number): Action => ({
  Put: { TableName: 'transfers', Item: { id: { N: String(id) } } },
})

/** Accounts with an index, and transfers: two tables that transaction tests change together. */
export class Bank {
  readonly local: Local
  readonly client: DynamoDBClient

  private constructor(local: Local) {
    this.local = local
    this.client = local.client({ maxAttempts: 1 })
  }

  /** Opens a bank where Ann has an account that holds 100. */
  static async open(options: LocalOptions = {}, shape: Pick<TableShape, 'units'> = {}): Promise<Bank> {
    const bank = new Bank(createLocal(options))
    await bank.client.send(
      createTable('accounts', ['owner'], { ...shape, global: { by_branch: ['branch'] } }),
    )
    await bank.client.send(transfers)
    await bank.client.send(new PutItemCommand({ TableName: 'accounts', Item: account('ann', 100) }))
    return bank
  }

  /** Opens a bank that a data directory holds. */
  static reopen(options: LocalOptions): Bank {
    return new Bank(createLocal(options))
  }

  close(): Promise<void> {
    return this.local.close()
  }

  transact(actions: readonly Action[], more: Partial<TransactWriteItemsCommandInput> = {}) {
    return this.client.send(new TransactWriteItemsCommand({ TransactItems: [...actions], ...more }))
  }

  async itemOf(owner: string) {
    return (await this.client.send(new GetItemCommand(key(owner)))).Item
  }

  /** The items of the accounts, of their index and of the transfers. */
  async everything() {
    const scans = [
      { TableName: 'accounts' },
      { TableName: 'accounts', IndexName: 'by_branch' },
      { TableName: 'transfers' },
    ]
    const pages = await Promise.all(scans.map((input) => this.client.send(new ScanCommand(input))))
    return pages.map(({ Items }) => Items)
  }
}

/** The exception with which the work must fail. */
export async function failure(work: Promise<unknown>): Promise<DynamoDBServiceException> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (error instanceof DynamoDBServiceException) return error
  throw new Error(`expected an exception of the service, got ${String(error)}`)
}

/** The cancellation reasons of a transaction that must be cancelled. */
export async function reasons(work: Promise<unknown>) {
  const error = await failure(work)
  if (!(error instanceof TransactionCanceledException)) throw error
  return error.CancellationReasons
}
