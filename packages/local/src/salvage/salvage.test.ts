import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DescribeTableCommand, GetItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb'
import { table } from '@isotherm/fixtures'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { EngineFixture, REGION } from '../engine/engine.fixture.js'
import { createLocal } from '../local.js'
import { Database } from '../storage/lmdb/database.js'
import { LmdbStorage } from '../storage/lmdb/lmdb-storage.js'
import { copyWithFlippedBit, ITEMS, nameOf, writeDirectory } from './damaged-directory.fixture.js'
import { salvageDirectory } from './salvage-directory.js'
import { verifyDirectory } from './verify-directory.js'

const folder = mkdtempSync(join(tmpdir(), 'isotherm-salvage-'))
const intact = join(folder, 'intact')
const damaged = join(folder, 'damaged')
beforeAll(() => writeDirectory(intact))
afterAll(() => rmSync(folder, { recursive: true }))

/** Damages the text of one item: in the table, or in the index, whose rows come later in the order of keys. */
function damageText(number: number): void {
  const file = readFileSync(join(intact, 'items.mdb'))
  // The last place is that of the newest page, and never one that is free.
  const at = file.lastIndexOf(`thing ${number} thing ${number} `)
  copyWithFlippedBit(intact, damaged, at + 2, 3)
}

it('finds nothing wrong with an intact directory, and counts its items', async () => {
  expect(await verifyDirectory(intact)).toEqual({
    directory: intact,
    tables: [
      { region: 'us-east-1', table: 'things', index: undefined, items: ITEMS, intact: ITEMS },
      { region: 'us-east-1', table: 'things', index: 'by-kind', items: ITEMS, intact: ITEMS },
    ],
    rowsWithoutChecksum: 0,
    damage: [],
    damagedParts: 0,
  })
})

it('answers a request for a damaged item with an error that names the directory, and others as always', async () => {
  damageText(7)
  const warnings: unknown[] = []
  const local = createLocal({ data: damaged, throttle: false, onBug: (error) => warnings.push(error) })
  const client = local.client({ maxAttempts: 1 })
  const scans = ['things', 'by-kind'].map((name) =>
    client.send(new ScanCommand({ TableName: 'things', ...(name === 'things' ? {} : { IndexName: name }) })),
  )
  const refused = (await Promise.allSettled(scans)).filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(1)
  expect(refused[0]).toMatchObject({
    reason: { name: 'InternalServerError', message: expect.stringContaining(`${damaged} is damaged`) },
  })
  const { Item } = await client.send(
    new GetItemCommand({ TableName: 'things', Key: { pk: { S: nameOf(500) } } }),
  )
  expect(Item?.text?.S).toContain('thing 500')
  await local.close()
  expect(warnings).toHaveLength(1)
})

it('writes everything that is intact to a new directory, with indexes that agree with their tables', async () => {
  damageText(7)
  const target = join(folder, 'salvaged')
  const { damagedParts, damage } = await salvageDirectory(damaged, target)
  expect(damagedParts).toBe(1)
  expect(damage[0]?.what).toMatch(/us-east-1\/things.* does not match its checksum/)
  expect((await verifyDirectory(target)).damagedParts).toBe(0)

  const local = createLocal({ data: target, throttle: false })
  const client = local.client()
  const filled = async () => {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: 'things' }))
    return Table?.GlobalSecondaryIndexes?.[0]?.IndexStatus === 'ACTIVE'
  }
  await expect.poll(filled, { timeout: 10_000, interval: 5 }).toBe(true)
  const names = async (IndexName?: string) => {
    const found: string[] = []
    let ExclusiveStartKey: Record<string, { S: string }> | undefined
    do {
      const page = await client.send(
        new ScanCommand({
          TableName: 'things',
          ...(IndexName === undefined ? {} : { IndexName }),
          ExclusiveStartKey,
        }),
      )
      found.push(...(page.Items ?? []).map(({ pk }) => pk?.S ?? ''))
      ExclusiveStartKey = page.LastEvaluatedKey as typeof ExclusiveStartKey
    } while (ExclusiveStartKey !== undefined)
    return found.sort()
  }
  const kept = await names()
  expect(kept.length).toBeGreaterThanOrEqual(ITEMS - 1)
  expect(await names('by-kind')).toEqual(kept)
  await local.close()
})

it('refuses a target that is not empty, and a directory that is none of its own', async () => {
  const full = join(folder, 'full')
  mkdirSync(full)
  writeFileSync(join(full, 'letter.txt'), 'Dear')
  await expect(salvageDirectory(intact, full)).rejects.toMatchObject({ code: 'storage.foreign' })
  await expect(verifyDirectory(full)).rejects.toMatchObject({ code: 'storage.foreign' })
})

it('reports a file that was cut off, and salvages what is left', async () => {
  copyWithFlippedBit(intact, damaged, 0, 0)
  const file = join(damaged, 'items.mdb')
  truncateSync(file, Math.floor(statSync(file).size / 2))
  const { damagedParts } = await verifyDirectory(damaged)
  expect(damagedParts).toBeGreaterThan(0)
  await salvageDirectory(damaged, join(folder, 'from-cut'))
})

it('writes a few megabytes with each commit', async () => {
  const large = join(folder, 'large')
  const { engine } = new EngineFixture({ storage: new LmdbStorage(large), throttle: false })
  await engine.execute('CreateTable', table('large', ['id']), REGION)
  const text = { S: 'x'.repeat(390_000) }
  for (let number = 0; number < 30; number++) {
    await engine.execute('PutItem', { TableName: 'large', Item: { id: { S: String(number) }, text } }, REGION)
  }
  await engine.close()
  const commit = vi.spyOn(Database.prototype, 'commit')
  try {
    const target = join(folder, 'salvaged-large')
    await salvageDirectory(large, target)
    const sizes = commit.mock.calls.map(([rows]) =>
      [...rows.values()].reduce((sum, row) => sum + (row?.length ?? 0), 0),
    )
    expect(Math.max(...sizes)).toBeLessThan(5 * 1024 * 1024)
    expect((await verifyDirectory(target)).tables[0]).toMatchObject({ items: 30, intact: 30 })
  } finally {
    commit.mockRestore()
  }
})
