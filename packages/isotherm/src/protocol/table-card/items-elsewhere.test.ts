import { describe, expect, it } from 'vitest'
import { LOG_TABLE } from '../../../test/log-card.js'
import { answerWith, ScriptedClient } from '../../../test/scripted-client.js'
import { ListedNames } from '../../keys/listed-names.js'
import type { ShardNames } from '../../keys/shard-names.js'
import { Suffix } from '../../keys/suffix.js'
import type { ShardedTable, SuffixSource } from '../../options/sharded-table.js'
import { firstState } from '../states/shard-state.js'
import { requireItems } from './require-items.js'
import type { DeclaredCounts } from './unknown-table.js'

const HAND_MADE = { ...LOG_TABLE, handMade: { name: 'votes' } }
const NAMES = new ListedNames('log', {
  texts: ['#a', '#b', '#c'],
  position: 'suffix',
  acceptsLookalikes: true,
})
/** Each item belongs into the last shard of its key. */
const LAST: SuffixSource = { kind: 'calculated', from: undefined, placeOf: (_table, _key, shards) => shards }
const DYNAMIC: DeclaredCounts = { shards: 'dynamicShards', count: 1 }

const LOST =
  "If the shard map was lost, emptied or restored, or is that of another table, rebuild it with: isotherm shards rebuild --table log --options FILE, where FILE is a module with the table's options as its default export. If the table had fixedShards(n), set initial: n."
const OTHER_SUFFIX = 'If the suffix was random, or calculated from other attributes, set that.'
const OWN_ENDS = 'If keys end like that by themselves, choose a delimiter that no key contains.'
const SCHEME = 'Correct the scheme, and compare it with more items with checkHandMade.'

/** Compares a table that has one item, with this stored key, with its options. */
function compared(
  options: ShardedTable,
  declared: DeclaredCounts,
  pk: { readonly S: string } | { readonly B: Uint8Array } = { S: 'k_3' },
  suffix: ShardNames = new Suffix('log', '_', options.adopt),
): Promise<number> {
  const { client } = new ScriptedClient(answerWith({ Items: [{ pk, sk: { N: '1' } }] }))
  return requireItems({ options, client, random: { next: () => 0 }, suffix }, declared)
}

describe('the error of an item that the options cannot have stored', () => {
  const shown = 'log has an item with the partition key "k_3", shard 3 of "k", and'

  it.each<[string, ShardedTable, DeclaredCounts, string, string]>([
    [
      'of a key that the shard map does not have',
      LOG_TABLE,
      DYNAMIC,
      'the shard map map has no item of that key, so it has 1 shard',
      LOST,
    ],
    [
      'above the initial count',
      LOG_TABLE,
      { ...DYNAMIC, count: 2 },
      'the shard map map has no item of that key, so it has 2 shards',
      LOST,
    ],
    [
      'above the count of its key',
      LOG_TABLE,
      { ...DYNAMIC, stateOf: async () => firstState(2, 1) },
      'the shard map map says that the key has 2 shards',
      LOST,
    ],
    [
      'above a fixed count',
      LOG_TABLE,
      { shards: 'fixedShards', count: 2 },
      'the options say fixedShards(2)',
      'Set the count as it was.',
    ],
    [
      'above the count, with a calculated suffix',
      { ...LOG_TABLE, suffix: LAST },
      { shards: 'fixedShards', count: 2 },
      'the options say fixedShards(2)',
      `Set the count as it was. ${OTHER_SUFFIX}`,
    ],
    [
      'in a shard that is not the calculated one',
      { ...LOG_TABLE, suffix: { ...LAST, placeOf: () => 1 } },
      { ...DYNAMIC, count: 3 },
      'the shard map map has no item of that key, so it has 3 shards, which is not the calculated shard',
      `${LOST} ${OTHER_SUFFIX}`,
    ],
    [
      'of an adopted table',
      { ...LOG_TABLE, adopt: true },
      DYNAMIC,
      'the shard map map has no item of that key, so it has 1 shard',
      `${LOST} ${OWN_ENDS}`,
    ],
  ])('has the reason and the cure: %s', async (_what, options, declared, reason, cure) => {
    await expect(compared(options, declared)).rejects.toMatchObject({
      code: 'items.elsewhere',
      message: `${shown} ${reason}. The item would not be found. ${cure}`,
    })
  })

  it('shows a key of bytes as hexadecimal digits', async () => {
    await expect(compared(LOG_TABLE, DYNAMIC, { B: Buffer.from('k_3') })).rejects.toMatchObject({
      message: expect.stringContaining('partition key 0x6b5f33, shard 3 of 0x6b, and'),
    })
  })

  it('says that the delimiter or the number is missing', async () => {
    await expect(compared(LOG_TABLE, DYNAMIC, { S: 'k' })).rejects.toMatchObject({
      message:
        'log has an item with the partition key "k", and the options say that each stored key ends with _ and the number of a shard. ' +
        'The item would not be found. If the table had items before it was sharded, set adopt: true. If it was sharded with another delimiter, set that one.',
    })
  })

  it.each([
    [
      'in no shard',
      'k_3',
      'log has an item with the partition key "k_3", and handMade "votes" has no shard with that name. ' +
        `The item would not be found. ${SCHEME} If other programs store such items, set checkItems: false.`,
    ],
    [
      'in another shard',
      'k#c',
      'log has an item with the partition key "k#c", shard 3 of "k", and handMade "votes" looks for it in another shard. ' +
        `The item would not be found. ${SCHEME}`,
    ],
  ])('names the scheme of a table that was sharded by hand: %s', async (_what, S, message) => {
    await expect(compared(HAND_MADE, DYNAMIC, { S }, NAMES)).rejects.toMatchObject({
      code: 'items.elsewhere',
      message,
    })
  })
})

describe('an item in the calculated shard', () => {
  it('is found if the shard map has a count of its own for the key', async () => {
    const declared = { ...DYNAMIC, stateOf: async () => firstState(3, 1) }
    expect(await compared({ ...LOG_TABLE, suffix: LAST }, declared)).toBe(1)
  })
})
