import type { KeyValue } from '@isotherm/semantics'
import { shardMapKeyOf } from '../../src/indexes/index-key.js'
import { indexShard, ShadowKey } from '../../src/indexes/shadow-key.js'
import { canonicalKeyValue } from '../../src/keys/item-key.js'
import { fixedShards } from '../../src/scaling/shards.js'
import { combinations, type Section, section } from './vector-section.js'

const values: readonly KeyValue[] = [
  { S: 'open' },
  { S: 'a_2' },
  { S: '"ä"' },
  { N: '1.50e2' },
  { N: '-7' },
  { B: new Uint8Array([0, 255]) },
]

const keys: readonly (readonly KeyValue[])[] = [
  [{ S: '/a' }],
  [{ S: '/a' }, { N: '1.0' }],
  [{ S: '/a' }, { S: 'x' }],
  [{ N: '1e2' }, { B: new Uint8Array([1]) }],
]

type Place = 'shadow-key' | 'attribute'

function shadowOf(place: Place, delimiter: string): ShadowKey {
  const attribute = place === 'attribute' ? 'status_shard' : 'isotherm_by_status'
  return new ShadowKey(
    { name: 'files', delimiter },
    {
      kind: 'sharded',
      name: 'by_status',
      partitionKey: 'status',
      sortKey: undefined,
      shards: fixedShards(10),
      shard: { in: place, attribute },
    },
  )
}

export const indexSections: Readonly<Record<string, Section>> = {
  /** The attributes that are an index's partition key, for a value of `status` in a shard. */
  attributes: section(
    combinations<{ in: Place; delimiter: string; value: KeyValue; shard: number }>({
      in: ['shadow-key', 'attribute'],
      delimiter: ['_', '#'],
      value: values,
      shard: [1, 12],
    }),
    ({ in: place, delimiter, value, shard }) => ({
      stored: shadowOf(place, delimiter).attributes(value, shard),
    }),
  ),
  /** The first shard that a write of an item chooses, from its logical primary key. */
  shards: section(
    combinations<{ key: readonly KeyValue[]; shards: number }>({ key: keys, shards: [1, 6, 200] }),
    ({ key, shards }) => ({ shard: indexShard(key.map(canonicalKeyValue), shards) }),
  ),
  /** The key in the shard map of the count of a value. */
  shardMapKeys: section(
    combinations<{ in: Place; value: KeyValue }>({ in: ['shadow-key', 'attribute'], value: values }),
    ({ in: place, value }) => {
      const shadow = shadowOf(place, '_')
      return { key: shardMapKeyOf('files', shadow.index.shard.attribute, shadow.storedValue(value)) }
    },
  ),
}
