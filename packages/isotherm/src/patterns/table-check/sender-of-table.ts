import { TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb'
import { IsothermError } from '../../errors/isotherm-error.js'
import type { Sender } from '../sending/pattern-client.js'

/**
 * Returns a client for requests of one table. If there is no such table, its errors name it, and say how it is created. Those of DynamoDB do not.
 * A transaction also names other tables, so its errors are passed on.
 *
 * @throws IsothermError (the requests) `table.missing`
 */
export function senderOfTable(client: Sender, table: string, cure: string): Sender {
  const send = async (...request: Parameters<Sender['send']>) => {
    try {
      return await client.send(...request)
    } catch (error) {
      const [command] = request as readonly unknown[]
      const isMissing = error instanceof Error && error.name === 'ResourceNotFoundException'
      if (!isMissing || command instanceof TransactWriteItemsCommand) throw error
      throw new IsothermError(
        'table.missing',
        `The table ${table} does not exist in this region and account. ${cure}`,
        { table },
        { cause: error },
      )
    }
  }
  return { send: send as Sender['send'] }
}
