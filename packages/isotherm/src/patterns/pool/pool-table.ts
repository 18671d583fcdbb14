import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb'
import { sparseTable } from '../sparse-table.js'
import { type PoolOptions, parsePoolOptions } from './pool-options.js'

/**
 * The input of a CreateTable request for a pool: an on-demand table and its sparse index, which has keys alone.
 *
 * @throws IsothermError `options.invalid` or `options.unknown`
 * @example await client.send(new CreateTableCommand(poolTable({ table: 'vouchers', partitionKey: 'code' })))
 */
export function poolTable(options: PoolOptions): CreateTableCommandInput {
  const parsed = parsePoolOptions(options)
  return sparseTable({ ...parsed, indexSort: parsed.place })
}
