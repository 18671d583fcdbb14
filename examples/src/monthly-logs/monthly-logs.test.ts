import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { createLocal } from '@isotherm/local'
import { directoryStore, ensureCatalog } from 'isotherm/rotation'
import { expect, it } from 'vitest'
import { monthlyLogs } from './monthly-logs.js'

it('months are written, read over their boundaries, and become files', async () => {
  const local = createLocal({ throttle: false })
  const client = local.client()
  const folder = mkdtempSync(join(tmpdir(), 'isotherm-monthly-logs-'))
  await ensureCatalog(client, { table: 'access_log' })
  let now = 0
  const logs = monthlyLogs(client, directoryStore(folder), { now: () => now, sleep: async () => {} })
  try {
    for (let month = 0; month < 6; month++) {
      for (const day of [1, 28]) {
        now = Date.UTC(2026, month, day)
        const line = { host: 'web1', at: new Date(now).toISOString(), path: '/' }
        await logs.write({ ...line, status: 200 })
        await logs.write({ ...line, status: 503 })
      }
    }
    expect(await logs.errors('web1', '2026-01-15', '2026-06-15')).toHaveLength(10)
    expect(await logs.everyNight(new Date(now))).toEqual(['2026-01', '2026-02'])
    expect(await logs.everyNight(new Date(now))).toEqual([])
    const { TableNames = [] } = await client.send(new ListTablesCommand({}))
    expect(TableNames).toEqual(
      [3, 4, 5, 6, 7].map((month) => `access_log_2026-0${month}`).concat('access_log_periods'),
    )
    expect(readdirSync(join(folder, 'access_log'))).toEqual(['2026-01', '2026-02'])
    const lines: unknown[] = []
    for await (const line of logs.archived('2026-02')) lines.push(line)
    expect(lines).toHaveLength(4)
    await expect(
      logs.write({ host: 'web1', at: '2026-02-03', path: '/', status: 200 }),
    ).rejects.toMatchObject({
      code: 'rotation.closed',
    })
    expect(await logs.errors('web1', '2026-03-01', '2026-07-01')).toHaveLength(8)
  } finally {
    rmSync(folder, { recursive: true })
    await local.close()
  }
})
