import type { IndexDefinition, TableDefinition } from '../../table/table-definition.js'
import { quoted } from '../../text/text.js'
import type { Cure } from './rule.js'

const CLIENT = "import { DynamoDBClient } from '@aws-sdk/client-dynamodb'"
/** The names of modules are put in, so that a search for imports does not find them here. */
const SHARDS = `import { dynamicShards, ensureShardMap, isotherm } from ${quoted('isotherm')}`

/** Spreads the hot keys of a table over shards. */
export function shardTable({ name, key }: TableDefinition, suffix: 'random' | 'calculated'): Cure {
  const sortKey = key.sort[0] === undefined ? '' : `\n      sortKey: ${quoted(key.sort[0].name)},`
  return {
    text:
      suffix === 'random'
        ? 'Shard the hot keys with a random suffix, if items are only appended. Use a calculated suffix if they are updated or read one by one.'
        : 'Shard the hot keys with a calculated suffix, so that each item is still found by its key.',
    code: `${CLIENT}
${SHARDS}

const client = new DynamoDBClient({})
await ensureShardMap(client, { table: ${quoted(name)} }) // once, when you deploy
export const db = isotherm(client, {
  tables: {
    ${quoted(name)}: {
      partitionKey: ${quoted(key.partition[0]?.name ?? 'pk')},${sortKey}
      suffix: ${quoted(suffix)},
      shards: dynamicShards(),
      adopt: true, // the table has items already
    },
  },
})
`,
  }
}

/** Spreads the values of an index over shards. */
export function shardIndex({ name, key }: TableDefinition, index: IndexDefinition): Cure {
  const sort = key.sort[0] === undefined ? '' : `\n      sortKey: ${quoted(key.sort[0].name)},`
  const indexSort = index.key.sort[0] === undefined ? '' : ` sortKey: ${quoted(index.key.sort[0].name)},`
  return {
    text: 'Remove the attribute from items that no query of the index needs. Shard the index for the rest.',
    code: `${CLIENT}
${SHARDS}

const client = new DynamoDBClient({})
await ensureShardMap(client, { table: ${quoted(name)} }) // once, when you deploy
export const db = isotherm(client, {
  tables: {
    ${quoted(name)}: {
      partitionKey: ${quoted(key.partition[0]?.name ?? 'pk')},${sort}
      indexes: {
        ${quoted(index.name)}: { partitionKey: ${quoted(index.key.partition[0]?.name ?? 'pk')},${indexSort} shards: dynamicShards() },
      },
    },
  },
})
`,
  }
}

/** Keeps only unused items in an index. */
export function claimFromPool({ name, key }: TableDefinition): Cure {
  const options = `{ table: ${quoted(name)}, partitionKey: ${quoted(key.partition[0]?.name ?? 'pk')} }`
  return {
    text: 'If the items of one state are taken one by one, use a pool: only unused items have the key of the index, and it has several values.',
    code: `${CLIENT}
import { pool } from ${quoted('isotherm/pool')}

// The table needs the index of poolTable(${options}).
const unused = pool(new DynamoDBClient({}), ${options})
export const [next] = await unused.claim()
`,
  }
}

/** One table for each period. */
export function rotate({ name, key }: TableDefinition): Cure {
  const [partition, sort] = [key.partition[0], key.sort[0]]
  return {
    text: 'Use a table for each period: old ones are archived and dropped as a whole, and the partition key is free for what readers ask for. If one table must remain, shard the key.',
    code: `${CLIENT}
import { ensureCatalog, rotation } from ${quoted('isotherm/rotation')}

const client = new DynamoDBClient({})
await ensureCatalog(client, { table: ${quoted(name)} }) // once, when you deploy
export const log = rotation(client, {
  table: ${quoted(name)},
  partitionKey: 'source', // what readers ask for${partition === undefined ? '' : `, instead of ${partition.name}`}
  sortKey: ${quoted(sort?.name ?? 'at')},
  period: 'month',
})
`,
  }
}

/** Large attributes in chunks. */
export function storeLarge({ name, key }: TableDefinition, attribute: string): Cure {
  return {
    text: `Let isotherm/large compress ${attribute}, and store it in chunks beside the item where it stays large.`,
    code: `${CLIENT}
import { ensureChunkTable, large } from ${quoted('isotherm/large')}

const client = new DynamoDBClient({})
await ensureChunkTable(client, { table: ${quoted(name)} }) // once, when you deploy
export const items = large(client, { table: ${quoted(name)}, partitionKey: ${quoted(key.partition[0]?.name ?? 'pk')} })
`,
  }
}
