import { MAX_SHARDS } from '../sizing/one-key-shards.js'
import { quoted } from '../text/text.js'
import type { PlanOption } from './plan.js'
import type { PlanInput } from './plan-input.js'

/** The options of the library for a plan, as a module that can be pasted. */
export function optionsCode(
  { table, partitionKey, partitionKeyType, sortKey, access, storedGb }: PlanInput,
  { shards }: PlanOption,
): string {
  const most = Math.max(...shards)
  // Items with a number as key are moved to another table.
  const hasItems = storedGb > 0 && partitionKeyType !== 'N'
  return `import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { dynamicShards, ensureShardMap, isotherm } from ${quoted('isotherm')}

const client = new DynamoDBClient({})
await ensureShardMap(client, { table: ${quoted(table)} }) // once, when you deploy
export const db = isotherm(client, {
  tables: {
    ${quoted(table)}: {
      partitionKey: ${quoted(partitionKey)},${sortKey === undefined ? '' : `\n      sortKey: ${quoted(sortKey)},`}
      suffix: ${access === 'append' ? "'random'" : "'calculated'"},
      shards: dynamicShards({ max: ${Math.min(Math.max(most * 2, 10), MAX_SHARDS)} }), // the plan needs ${most}${hasItems ? '\n      adopt: true, // the table has items already' : ''}
    },
  },
})
`
}
