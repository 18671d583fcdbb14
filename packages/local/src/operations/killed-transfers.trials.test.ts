import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  DescribeTableCommand,
  ListExportsCommand,
  ListImportsCommand,
  ListTablesCommand,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { SeededRandom } from '@isotherm/runtime'
import { afterAll, expect, inject, it } from 'vitest'
import { createLocal } from '../local.js'
import { verifyDirectory } from '../salvage/verify-directory.js'
import { linesUntilKilled } from '../storage/killed-child.fixture.js'

const ROUNDS = inject('trials') === 'many' ? 12 : 2
const ITEMS = 80_000

/** The compiled engine, run in a separate process. */
const importer = fileURLToPath(new URL('../../crash/importer.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'isotherm-killed-'))
afterAll(() => rmSync(folder, { recursive: true }))

it(`an import and an export are complete or leave nothing when the process is killed, ${ROUNDS} times`, async () => {
  const buckets = join(folder, 'buckets')
  mkdirSync(join(buckets, 'source'), { recursive: true })
  const line = (number: number) =>
    `${JSON.stringify({ Item: { id: { S: `i-${number}` }, state: { S: `s-${number % 9}` } } })}\n`
  writeFileSync(join(buckets, 'source', 'a'), Array.from({ length: ITEMS }, (_, each) => line(each)).join(''))
  const random = new SeededRandom(inject('seed'))
  let killed = 0
  for (let round = 0; round < ROUNDS; round++) {
    const data = join(folder, `data-${round}`)
    const printed = await linesUntilKilled([importer, data, buckets], 2, random.next() * 100)
    expect(printed[0]).toBe('ready')
    await using local = createLocal({ data, buckets, throttle: false })
    const client = local.client()
    const { ImportSummaryList = [] } = await client.send(new ListImportsCommand({}))
    const isComplete = ImportSummaryList[0]?.ImportStatus === 'COMPLETED'
    expect(ImportSummaryList).toHaveLength(1)
    const { TableNames } = await client.send(new ListTablesCommand({}))
    expect(TableNames).toEqual(isComplete ? ['imported', 'kept'] : ['kept'])
    // The name is free then, and nothing of the old items is in the new table.
    if (!isComplete) await client.send(createTable('imported', ['id']))
    const imported = await client.send(new DescribeTableCommand({ TableName: 'imported' }))
    expect(imported.Table?.ItemCount).toBe(isComplete ? ITEMS : 0)
    if (!isComplete) killed++
    const { Table } = await client.send(new DescribeTableCommand({ TableName: 'kept' }))
    expect(Table).toMatchObject({ TableStatus: 'ACTIVE', ItemCount: 2_000 })
    const { ExportSummaries = [] } = await client.send(new ListExportsCommand({}))
    await local.close()
    const exports = join(buckets, 'exports', 'AWSDynamoDB')
    const exported = existsSync(exports) ? readdirSync(exports) : []
    expect(exported.filter((name) => name.endsWith('-part'))).toEqual([])
    // An export may have been complete, and its record not saved yet.
    expect(exported.length).toBeLessThanOrEqual(1)
    expect(ExportSummaries).toHaveLength(1)
    if (ExportSummaries[0]?.ExportStatus === 'COMPLETED') expect(exported).toHaveLength(1)
    rmSync(exports, { recursive: true, force: true })
    expect((await verifyDirectory(data)).damagedParts).toBe(0)
  }
  expect(killed).toBeGreaterThan(0)
})
