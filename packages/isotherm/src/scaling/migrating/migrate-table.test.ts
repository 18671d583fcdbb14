import { describe, expect, it } from 'vitest'
import type { PhysicalClient } from '../../sdk/physical-client.js'
import { TablesByName } from '../../sdk/tables-by-name.js'
import { migrateTable } from './migrate-table.js'

const fixed = (name: string) => ({ options: { name }, scaling: { migratable: undefined } })
const tables = new TablesByName({} as PhysicalClient, [fixed('log'), fixed('orders')])

describe('a table that cannot be migrated', () => {
  it('is refused with the tables of the options if it is none of them', async () => {
    await expect(migrateTable(tables, 'other', { initial: 2 })).rejects.toMatchObject({
      code: 'options.invalid',
      message: expect.stringContaining('a table of the options: log, orders'),
      details: { option: 'migrate(table)', value: 'other' },
    })
  })

  it('is refused if its count is fixed', async () => {
    await expect(migrateTable(tables, 'orders', { initial: 2 })).rejects.toMatchObject({
      code: 'shards.fixed',
      details: { table: 'orders' },
    })
  })
})
