import { grouped, valueText } from '../../text/text.js'
import { SHARDING } from '../rule/one-partition.js'
import type { Found, Rule } from '../rule/rule.js'

/** A name, a delimiter of one character, and a number such as a shard has. */
const SUFFIXED = /^(.+)([_#.:|-])(\d{1,4})$/
/** So many keys of a base with numbers look like shards by hand. */
const MIN_SHARDS = 3

export const keyLooksSharded: Rule = {
  id: 'key-looks-sharded',
  level: 'note',
  title: 'Partition keys look sharded by hand',
  why: [
    'A suffix by hand has a fixed number of shards for every key. Each read asks all of them, also for keys that were never hot, and a higher number moves the items of a calculated suffix.',
    'The library takes such a table over, and changes the number for the keys that need it. If the numbers are not shards, choose another delimiter before you shard the table.',
  ],
  sources: [SHARDING],
  example: {
    table: {
      TableName: 'votes',
      AttributeDefinitions: [
        { AttributeName: 'candidate', AttributeType: 'S' },
        { AttributeName: 'voter', AttributeType: 'S' },
      ],
      KeySchema: [
        { AttributeName: 'candidate', KeyType: 'HASH' },
        { AttributeName: 'voter', KeyType: 'RANGE' },
      ],
      BillingMode: 'PAY_PER_REQUEST',
    },
    items: Array.from({ length: 40 }, (_, index) => ({
      candidate: `a_${1 + (index % 10)}`,
      voter: `${index}`,
    })),
  },
  check({ table, sample }) {
    const [attribute, ...more] = table.key.partition
    if (attribute === undefined || more.length > 0 || sample === undefined) return []
    const shards = new Map<string, number>()
    for (const { value } of sample.mostFrequent(attribute.name, Number.POSITIVE_INFINITY)) {
      const [, base, delimiter] = ('S' in value && SUFFIXED.exec(value.S)) || []
      if (base === undefined) continue
      const name = `${base}${delimiter}`
      shards.set(name, (shards.get(name) ?? 0) + 1)
    }
    const [found] = [...shards].filter(([, count]) => count >= MIN_SHARDS).sort(([, a], [, b]) => b - a)
    if (found === undefined) return []
    const [name, count] = found
    return [
      {
        subject: `partition key ${attribute.name}`,
        evidence: `${valueText({ S: name })} is followed by ${count} different numbers in the sampled keys.`,
        consequence: `If these are shards, each query of all items costs at least ${grouped(count)} times the smallest read: ${(count * 0.5).toFixed(1)} read units instead of 0.5.`,
        cure: {
          text: `Check the scheme with \`isotherm adopt --check --table ${table.name} --options FILE\`, and let the library adopt the table with handMade(). If the numbers are no shards, shard the table with another delimiter than ${name.at(-1)}.`,
        },
      },
    ] satisfies readonly Found[]
  },
}
