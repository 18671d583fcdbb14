import type { TableShape } from '@isotherm/fixtures'
import { SPENT_INDEXES } from '@isotherm/local'
import { describe, expect, it } from 'vitest'
import { engineMap, type MadeLoad } from './engine-map.fixture.js'
import { findingsOf } from './findings.js'

const WORDS = {
  key: (label: string) => label,
  figure: (value: number) => String(Math.round(value)),
  percent: (value: number) => `${Math.round(value)} %`,
}

const many = (count: number, pk: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => ({ pk: pk(at) }))

async function found(load: MadeLoad) {
  const map = await engineMap(load)
  return { map, findings: findingsOf(map, WORDS) }
}

describe('the patterns of a map', () => {
  it('a band at the limit is a hot key, and those beside it are its neighbours', async () => {
    const puts = () => [...many(1_500, () => 'sale'), ...many(200, (at) => `page/${at % 40}`)]
    const { map, findings } = await found({ seconds: 12, puts })
    const [hot, beside] = findings
    expect(hot).toMatchObject({ pattern: 'hot-key', title: 'sale is at the limit of its partition' })
    expect(hot?.evidence).toContain('One partition serves 1000.')
    expect(hot?.cure).toMatch(/Give this key [2-4] shards or more/)
    const row = map.rows.findIndex(({ label }) => label === 'sale')
    expect(hot?.place).toEqual({ rows: [row, row], columns: [0, 11] })
    expect(beside).toMatchObject({ pattern: 'neighbour', cure: expect.stringContaining('when sale does') })
  })

  it('a key with shards enough is hot for another reason', async () => {
    // Nearly all of the traffic is on one shard, as that of one item is.
    const puts = () => many(1_300, (at) => `sale_${at % 100 === 0 ? 2 + (at % 3) : 1}`)
    const { findings } = await found({ seconds: 12, delimiter: '_', puts })
    expect(findings[0]?.cure).toContain('one item, which no shard count helps')
    expect(findings[0]?.evidence).toContain('It has 4 shards.')
  })

  it('a diagonal is a key that rises with time', async () => {
    const puts = (second: number) => many(40, () => `2027-01-01T00:00:${String(second).padStart(2, '0')}`)
    const { findings } = await found({ seconds: 20, puts })
    expect(findings[0]).toMatchObject({
      pattern: 'rising-keys',
      evidence: '20 keys have traffic one after the other, from 2027-01-01T00:00:00 to 2027-01-01T00:00:19.',
      place: { rows: [0, 19], columns: [0, 19] },
    })
  })

  it('many cool keys in one hot partition are no hot key', async () => {
    const one = { ReadUnitsPerSecond: 12_000, WriteUnitsPerSecond: 4_000 }
    const puts = () => many(6_000, (at) => `user/${at % 60}`)
    const { findings } = await found({ seconds: 6, table: { WarmThroughput: one }, puts })
    expect(findings.map(({ pattern }) => pattern)).toContain('busy-partition')
    const busy = findings.find(({ pattern }) => pattern === 'busy-partition')
    expect(busy?.evidence).toMatch(/keys are throttled.*The hottest of them uses \d+ % of a partition/)
  })

  it('a sudden load on many keys of a new table came before its partitions', async () => {
    const puts = (second: number) => many(second < 12 ? 50 : 9_000, (at) => `user/${at % 90}`)
    const { findings } = await found({ seconds: 16, puts })
    const rise = findings.find(({ pattern }) => pattern === 'sudden-rise')
    expect(rise?.evidence).toMatch(/^From 50 to \d{4} requests a second within 10 s/)
    expect(rise?.cure).toContain('Raise the warm throughput')
  })

  it('an index that cannot keep up holds its table back', async () => {
    const table: TableShape = { global: { by_status: { key: ['status'], projected: 'KEYS_ONLY' } } }
    const puts = () => many(1_600, (at) => `job/${at}`).map((item) => ({ ...item, status: 'open' }))
    const load = { seconds: 12, table, options: SPENT_INDEXES, index: 'by_status', puts }
    const { findings } = await found(load)
    expect(findings[0]).toMatchObject({ pattern: 'index-holds-table', level: 'hot' })
    expect(findings[0]?.evidence).toContain('IndexWriteKeyRangeThroughputExceeded')
  })

  it('a table that is throttled by its own limit has no hot key', async () => {
    // Longer than what an idle table has saved up.
    const puts = (second: number) => many(second === 0 ? 16_000 : 300, (at) => `user/${at % 50}`)
    const { findings } = await found({ seconds: 12, table: { units: 50 }, puts })
    expect(findings).toMatchObject([{ pattern: 'table-limit', level: 'limited' }])
    expect(findings[0]?.evidence).toBe('Reason: TableWriteProvisionedThroughputExceeded.')
  })

  it('a quiet table is calm', async () => {
    const { findings } = await found({ seconds: 5, puts: () => many(20, (at) => `user/${at}`) })
    expect(findings).toMatchObject([{ pattern: 'calm', title: 'No key is near the limit of a partition' }])
  })

  it('a table without traffic at the end says so', async () => {
    const { findings } = await found({ seconds: 20, puts: (second) => many(second < 5 ? 20 : 0, () => 'a') })
    expect(findings).toMatchObject([{ pattern: 'calm', title: 'No key has traffic at the end of this span' }])
  })
})
