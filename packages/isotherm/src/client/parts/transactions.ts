import { transactGetItems } from '../../transactions/transact-get-items.js'
import { transactWriteItems } from '../../transactions/transact-write-items.js'
import type { Part } from './part.js'

/**
 * `TransactGetItems` and `TransactWriteItems` that touch sharded tables.
 *
 * @example isotherm(client, { parts: [items, transactions], tables: { orders: { ... } } })
 */
export const transactions: Part = {
  name: 'transactions',
  commands: { TransactGetItems: transactGetItems, TransactWriteItems: transactWriteItems },
}
