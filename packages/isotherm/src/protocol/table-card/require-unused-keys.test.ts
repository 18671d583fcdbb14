import type { AttributeValue, QueryCommandInput } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { LOG_TABLE } from '../../../test/log-card.js'
import type { SuffixableKey } from '../../keys/key.js'
import { ListedNames } from '../../keys/listed-names.js'
import { Suffix } from '../../keys/suffix.js'
import type { ShardedTable } from '../../options/sharded-table.js'
import type { PhysicalClient } from '../../sdk/physical-client.js'
import { firstState } from '../states/shard-state.js'
import { requireUnusedKeys } from './require-unused-keys.js'
import type { DeclaredCounts, SampledItem, UnknownTable } from './unknown-table.js'

const FIXED: DeclaredCounts = { shards: 'fixedShards', count: 2 }

const shown = (key: AttributeValue | undefined) => key?.S ?? `0x${Buffer.from(key?.B ?? []).toString('hex')}`
const bytes = (text: string) => ({ B: Buffer.from(text) })
const texts = (...keys: readonly string[]) => keys.map((S) => ({ S }))

interface Setting {
  readonly sampled: readonly SuffixableKey[]
  /** The stored keys that have items. */
  readonly stored?: readonly SuffixableKey[]
  readonly options?: Partial<ShardedTable>
  readonly declared?: DeclaredCounts
  readonly suffix?: UnknownTable['suffix']
}

/** The stored keys that were queried, and those whose items were compared. */
async function queried({ sampled, stored = [], options = {}, declared = FIXED, suffix }: Setting) {
  const asked: string[] = []
  const found: string[] = []
  const inputs: QueryCommandInput[] = []
  const client = {
    send: async ({ input }: { readonly input: QueryCommandInput }) => {
      inputs.push(input)
      const key = shown(input.ExpressionAttributeValues?.[':key'])
      asked.push(key)
      return { Items: stored.filter((each) => shown(each) === key).map((pk) => ({ pk, sk: { N: '1' } })) }
    },
  } as unknown as PhysicalClient
  const table = { ...LOG_TABLE, ...options }
  await requireUnusedKeys(
    {
      options: table,
      client,
      random: { next: () => 0 },
      suffix: suffix ?? new Suffix('log', '_', table.adopt),
    },
    declared,
    {
      sampled: sampled.map((pk) => ({ pk, sk: { N: '1' } }) as SampledItem),
      check: async (items) => void found.push(...items.map(({ pk }) => shown(pk))),
    },
  )
  return { asked, found, inputs }
}

describe('the keys beside those of a sample', () => {
  it('are the shard after the last one, the bare key and shard 0', async () => {
    const { asked, found } = await queried({
      sampled: texts('k_1', 'k_2'),
      stored: texts('k_1', 'k_3', 'k_0'),
    })
    expect(asked).toEqual(['k_3', 'k', 'k_0'])
    expect(found).toEqual(['k_3', 'k_0'])
  })

  it('are queried for their first key attributes', async () => {
    const { inputs } = await queried({ sampled: texts('k_1') })
    expect(inputs[0]).toEqual({
      TableName: 'log',
      Limit: 1,
      KeyConditionExpression: '#first = :key',
      ProjectionExpression: '#first, #second',
      ExpressionAttributeNames: { '#first': 'pk', '#second': 'sk' },
      ExpressionAttributeValues: { ':key': { S: 'k_3' } },
    })
    const without = await queried({ sampled: texts('k_1'), options: { sortKey: undefined } })
    expect(without.inputs[0]?.ProjectionExpression).toBe('#first')
    expect(Object.keys(without.inputs[0]?.ExpressionAttributeNames ?? {})).toEqual(['#first'])
  })

  it('are of bytes if the key is', async () => {
    const { asked } = await queried({ sampled: [bytes('k_1')] })
    expect(asked).toEqual([bytes('k_3'), bytes('k'), bytes('k_0')].map(shown))
  })

  it('may be a shard of a shorter key, which is no mistake', async () => {
    const { asked } = await queried({ sampled: texts('a_3_1') })
    expect(asked).toEqual(['a_3_3', 'a_3_0'])
  })

  it('have no empty key, none that is too long, and no shard above 1,000', async () => {
    expect((await queried({ sampled: texts('_1') })).asked).toEqual(['_3', '_0'])
    const long = 'k'.repeat(2_046)
    const { asked } = await queried({ sampled: texts(`${long}_9`), declared: { ...FIXED, count: 9 } })
    expect(asked).toEqual([long, `${long}_0`])
    expect((await queried({ sampled: texts('k_1'), declared: { ...FIXED, count: 999 } })).asked[0]).toBe(
      'k_1000',
    )
    expect((await queried({ sampled: texts('k_1'), declared: { ...FIXED, count: 1_000 } })).asked).toEqual([
      'k',
      'k_0',
    ])
  })

  it('are not looked for beside a key that is no shard', async () => {
    expect((await queried({ sampled: texts('plain', 'k_1') })).asked).toEqual(['k_3', 'k', 'k_0'])
  })

  it('are after the count that the shard map has', async () => {
    const stateOf = async () => firstState(7, 1)
    const declared: DeclaredCounts = { shards: 'dynamicShards', count: 2, stateOf }
    expect((await queried({ sampled: texts('k_1'), declared })).asked[0]).toBe('k_8')
  })

  it('are those of the eight keys with the most items', async () => {
    const cold = Array.from({ length: 20 }, (_, at) => `cold${at}_1`)
    const { asked } = await queried({ sampled: texts(...cold, 'hot_1', 'hot_2') })
    expect(asked).toHaveLength(24)
    expect(asked).toContain('hot_3')
  })

  it('are not looked at where the application names the shards', async () => {
    const suffix = new ListedNames('log', {
      texts: ['_1', '_2'],
      position: 'suffix',
      acceptsLookalikes: true,
    })
    const { asked } = await queried({
      sampled: texts('k_1'),
      options: { handMade: { name: 'votes' } } as Partial<ShardedTable>,
      suffix,
    })
    expect(asked).toEqual([])
  })
})

describe('the keys of an adopted table', () => {
  const options = { adopt: true }

  it.each([
    ['the sample has a later shard', texts('k_2')],
    ['the sample has only the first one', texts('k_1')],
    ['the keys are bytes', [bytes('k_1')]],
  ])('may not be numbered from 1: %s', async (_what, sampled) => {
    const stored = [...texts('k_1', 'k_2'), bytes('k_1'), bytes('k_2')]
    await expect(queried({ sampled, stored, options })).rejects.toMatchObject({
      code: 'items.elsewhere',
      details: { table: 'log', shard: undefined, shards: undefined },
      message: expect.stringMatching(
        /shard 1 of it\. The items of .* would not be found\. .*leave adopt out/,
      ),
    })
  })

  it.each([
    ['it is the only such key', texts('k_1')],
    ['the shorter key has items too', texts('k', 'k_1', 'k_2')],
    ['the first shard is empty', texts('k_2')],
  ])('may end with the delimiter and 1: %s', async (_what, stored) => {
    await queried({ sampled: stored.slice(-1), stored, options })
  })

  it('have no other first shard', async () => {
    expect((await queried({ sampled: texts('k'), options })).asked).toEqual(['k_3', 'k_1'])
  })

  it('may be too long to have another shard', async () => {
    expect((await queried({ sampled: texts('k'.repeat(2_048)), options })).asked).toEqual([])
  })
})
