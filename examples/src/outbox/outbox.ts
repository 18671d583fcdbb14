import { type DynamoDBClient, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb'
import { type Queue, queue, type WorkReport } from 'isotherm/queue'

export interface Order {
  readonly id: string
  readonly customer: string
  readonly euros: number
}

/** Sends a mail. The id is the same each time the same mail is sent, so that the mail service can leave out what it has sent already. */
export type SendMail = (mail: {
  readonly id: string
  readonly to: string
  readonly text: string
}) => Promise<void>

/**
 * Orders with a mail each. The mail is stored in the transaction of its order, so there is no order without a mail, and no mail without an
 * order. A worker sends the mails of one customer in the order in which they were stored, and records in the order that its mail was sent.
 */
export class Outbox {
  readonly #db: DynamoDBClient
  readonly #orders: string
  readonly #mails: Queue<Order>

  /**
   * @param jobs a table that `queueTable` describes, with the partition key `id`
   * @param orders a table with the partition key `id`
   */
  constructor(db: DynamoDBClient, { jobs, orders }: { readonly jobs: string; readonly orders: string }) {
    this.#db = db
    this.#orders = orders
    this.#mails = queue(db, {
      table: jobs,
      partitionKey: 'id',
      name: 'mails',
      maxAttempts: 3,
      retryDelay: '50ms',
    })
  }

  async place(order: Order): Promise<void> {
    const { actions } = await this.#mails.prepare(order, { key: order.id, entity: order.customer })
    const Item = { id: { S: order.id }, customer: { S: order.customer }, euros: { N: String(order.euros) } }
    const put = { Put: { TableName: this.#orders, Item, ConditionExpression: 'attribute_not_exists(id)' } }
    await this.#db.send(new TransactWriteItemsCommand({ TransactItems: [...actions, put] }))
  }

  /** Sends mails until the signal aborts. */
  work(sendMail: SendMail, signal: AbortSignal): Promise<WorkReport> {
    return this.#mails.work(
      async ({ id, payload: { customer, euros } }) => {
        await sendMail({ id, to: customer, text: `Thank you for ${euros} euros.` })
        const sent = {
          TableName: this.#orders,
          Key: { id: { S: id } },
          UpdateExpression: 'ADD mails_sent :one',
          ExpressionAttributeValues: { ':one': { N: '1' } },
        }
        return [{ Update: sent }]
      },
      { concurrency: 10, signal, pollInterval: '50ms' },
    )
  }

  /** Orders whose mails could not be sent, and why. */
  async failed(): Promise<Readonly<Record<string, string>>> {
    const letters = await this.#mails.deadLetters()
    return Object.fromEntries(letters.map(({ id, reason }) => [id, reason]))
  }
}
