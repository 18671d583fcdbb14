import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { warmedUp } from '../../test/warmed-up.js'
import { type AdoptCheckOptions, type AdoptReport, adoptCheck } from './adopt-check.js'

interface Given {
  readonly type?: 'S' | 'N' | 'B'
  readonly sortKey?: boolean
  readonly keys: readonly string[]
  readonly options?: Partial<AdoptCheckOptions>
}

const ITEMS_OF_A_KEY = 3

async function checked({ type = 'S', sortKey = true, keys, options }: Given) {
  const clock = new VirtualClock()
  const local = createLocal({ clock, random: new SeededRandom(1), throttle: false })
  const client = await warmedUp(local.client())
  return clock.run(async () => {
    await client.send(
      sortKey
        ? createTable('log', [`pk:${type}`, 'sk:N'], { local: { by_at: 'at:N' }, stream: 'NEW_IMAGE' })
        : createTable('log', [`pk:${type}`]),
    )
    for (const key of keys) {
      for (let sk = 0; sk < ITEMS_OF_A_KEY; sk++) {
        const pk = type === 'B' ? { B: Buffer.from(key) } : type === 'N' ? { N: key } : { S: key }
        await client.send(new PutItemCommand({ TableName: 'log', Item: { pk, sk: { N: String(sk) } } }))
      }
    }
    const from = clock.now()
    const random = new SeededRandom(2)
    const report = await adoptCheck(client, { table: 'log', clock, random, ...options })
    return { report, milliseconds: clock.now() - from, client, clock, random }
  })
}

describe('the check before a table is adopted', () => {
  it('accepts a table without keys that end like a suffix, and reports its other features', async () => {
    const { report } = await checked({ keys: ['a', 'a_b', 'b_0', '2_x', 'c_1'] })
    expect(report).toEqual({
      table: 'log',
      partitionKey: 'pk',
      keyType: 'S',
      sortKey: 'sk',
      localIndexes: ['by_at'],
      globalIndexesOnKey: [],
      hasStream: true,
      timeToLive: undefined,
      delimiter: '_',
      isAdoptable: true,
      items: 15,
      keys: 5,
      ambiguousKeys: 0,
      ambiguousExamples: [],
      keysTooLong: 0,
      reservedKeys: 0,
      suggestedDelimiter: '#',
      lastKey: undefined,
    } satisfies AdoptReport)
  })

  it('reports each key that could be a shard of a shorter one, and whether that one exists', async () => {
    const { report } = await checked({ keys: ['a', 'a_2', 'b_17', '7#x', '_1000', '_1001'] })
    expect(report).toMatchObject({ isAdoptable: false, ambiguousKeys: 3, suggestedDelimiter: '~' })
    expect([...report.ambiguousExamples].sort((a, b) => (a.key < b.key ? -1 : 1))).toEqual([
      { key: '_1000', shorter: '', hasShorter: false },
      { key: 'a_2', shorter: 'a', hasShorter: true },
      { key: 'b_17', shorter: 'b', hasShorter: false },
    ])
  })

  it('supports another delimiter, and binary keys', async () => {
    const options = { delimiter: '#' }
    const { report } = await checked({ type: 'B', keys: ['a_2', 'b#3', 'b'], options })
    expect(report).toMatchObject({ isAdoptable: false, ambiguousKeys: 1, suggestedDelimiter: '~' })
    expect(report.ambiguousExamples.map(({ key }) => Buffer.from(key).toString())).toEqual(['b#3'])
  })

  it('reports keys that leave no room for a suffix', async () => {
    const { report } = await checked({ keys: ['a', 'k'.repeat(2_044)] })
    expect(report).toMatchObject({ isAdoptable: false, keysTooLong: 1 })
  })

  it.each(['S', 'B'] as const)('reports keys that the shard map has for itself, of type %s', async (type) => {
    const { report } = await checked({
      type,
      keys: ['isotherm:card', 'isotherm:a', 'isotherm', 'x isotherm:'],
    })
    expect(report).toMatchObject({ isAdoptable: false, reservedKeys: 2, ambiguousKeys: 0 })
  })

  it('reads nothing of a table without a sort key, whose items cannot be spread', async () => {
    const { report } = await checked({ sortKey: false, keys: ['a'] })
    expect(report).toMatchObject({ isAdoptable: false, sortKey: undefined, items: 0 })
  })

  it('reads nothing of a table with a numeric key, for which no delimiter helps', async () => {
    const { report } = await checked({ type: 'N', keys: ['1'] })
    expect(report).toMatchObject({ isAdoptable: false, keyType: 'N', items: 0 })
  })

  it('can be aborted, and resumed where it stopped', async () => {
    const keys = Array.from({ length: 3_000 }, (_, index) => `${'k'.repeat(1_500)} ${index}`)
    const ending = new AbortController()
    const options = { signal: ending.signal, onProgress: () => ending.abort() }
    const { report, client, clock, random } = await checked({ keys: [...keys, 'a_2'], options })
    expect(report.lastKey).toBeDefined()
    expect(report.isAdoptable).not.toBe(true)
    const rest = await clock.run(() =>
      adoptCheck(client, {
        table: 'log',
        clock,
        random,
        ...(report.lastKey && { startKey: report.lastKey }),
      }),
    )
    expect(rest.lastKey).toBeUndefined()
    expect(report.items + rest.items).toBe(3 * 3_001)
    expect(report.ambiguousKeys + rest.ambiguousKeys).toBe(1)
  }, 30_000)

  it('respects its rate', async () => {
    const keys = Array.from({ length: 1_000 }, (_, index) => `${'k'.repeat(1_500)} ${index}`)
    const slow = await checked({ keys, options: { unitsPerSecond: 10 } })
    const fast = await checked({ keys, options: { unitsPerSecond: 1_000 } })
    // 4.5 MB take 550 units. The last page is not waited for.
    expect(slow.milliseconds).toBeGreaterThan(40_000)
    expect(slow.milliseconds / fast.milliseconds).toBeGreaterThan(50)
  }, 30_000)
})
