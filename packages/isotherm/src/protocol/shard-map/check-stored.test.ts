import { describe, expect, it } from 'vitest'
import { checkStored } from './check-stored.js'
import type { CountedTable } from './counted-table.js'

/** Checks items of a table. @returns the keys whose options were checked */
function checked(items: Parameters<typeof checkStored>[1], suffix = 'random') {
  const keys: unknown[] = []
  const table = {
    options: { partitionKey: 'pk', suffix },
    suffix: {
      strip: ({ S = '' }: { S?: string }) =>
        S.includes('_') ? { logical: { S: S.split('_')[0] }, shard: 1 } : undefined,
    },
    views: {
      checkTable: (key: unknown) => {
        keys.push(key)
        return Promise.resolve('checked')
      },
    },
  }
  return { answer: checkStored(table as unknown as CountedTable, items), keys }
}

describe('items that were read without a count', () => {
  it('are checked by the key of the first one that has its key', async () => {
    const { answer, keys } = checked([{ at: { N: '1' } }, { pk: { S: 'k_3' } }, { pk: { S: 'j_2' } }])
    expect(keys).toEqual([{ S: 'k' }])
    expect(await answer).toBe('checked')
  })

  it('are checked by a key without a suffix, too, which may not be there with these options', () => {
    expect(checked([{ pk: { S: 'k' } }]).keys).toEqual([{ S: 'k' }])
  })

  it('are checked by a key of bytes', () => {
    const B = Uint8Array.of(7)
    expect(checked([{ pk: { B } }]).keys).toEqual([{ B }])
  })

  it('need no check where none shows its key, or the table has no suffix', () => {
    expect(checked([])).toEqual({ answer: undefined, keys: [] })
    expect(checked([{ at: { N: '1' } }, { pk: { N: '1' } }])).toEqual({ answer: undefined, keys: [] })
    expect(checked([{ pk: { S: 'k_3' } }], 'none')).toEqual({ answer: undefined, keys: [] })
  })
})
