import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { expect, it } from 'vitest'
import { tableOptions } from './table-options.js'

it('The options in flags leave the removal of shards to the application, whose options may forbid it.', async () => {
  const local = createLocal({ throttle: false })
  await local.client().send(createTable('log', ['pk', 'at']))
  for (const suffix of ['random', 'calculated'] as const) {
    const { shards } = await tableOptions(local.client(), { table: 'log', suffix })
    expect(shards).toMatchObject({ kind: 'dynamic', quietMilliseconds: undefined })
  }
  await local.close()
})
