import { z } from 'zod'
import { decimal, duration, integer, members, named, text, texts, truth } from './option-schemas.js'
import { shards, suffix } from './shard-schemas.js'

const index = z.union(
  [
    members({
      partitionKey: text('the name of an attribute'),
      sortKey: text('the name of an attribute').optional(),
      shards,
      shadowKey: text('the name of an attribute').optional(),
      shardAttribute: text('the name of an attribute').optional(),
    }),
    members({ sortKey: text('the name of an attribute') }),
  ],
  { error: 'an object with partitionKey and shards, or with sortKey alone' },
)

const pace = { factor: decimal(1, 10).optional(), cooldown: duration.optional() }
const MAX_UNITS = Number.MAX_SAFE_INTEGER

/** The options of one table, as the library has them. */
export const table = members({
  partitionKey: text("the name of the table's partition key").describe(
    "The name of the table's partition key attribute.",
  ),
  sortKey: text("the name of the table's sort key")
    .optional()
    .describe("The name of the table's sort key attribute."),
  suffix: suffix
    .optional()
    .describe('random for appends; calculated for items that are read, updated or written with conditions.'),
  shards: shards.optional().describe('The number of shards of each logical key.'),
  indexes: named(index, 'an object with a member for each index')
    .optional()
    .describe('Indexes whose queries read several shards, by name.'),
  readReplicas: texts('a list of names of indexes').optional(),
  shardMap: text('the name of a table')
    .optional()
    .describe('The name of the shard map; <table>_shard_map without it.'),
  delimiter: text('a text of 1 to 16 characters')
    .optional()
    .describe('The text between the logical key and the shard; _ without it.'),
  adopt: truth()
    .optional()
    .describe('Whether shard 1 uses the key without a suffix. Never change it afterwards.'),
  checkItems: truth()
    .optional()
    .describe("Whether a sample of the table's items is compared with the options."),
  transactions: truth().optional().describe('Whether the database supports transactions.'),
  capacity: members({
    raiseWriteCapacity: members({ maxWriteUnits: integer(1, MAX_UNITS), ...pace }).optional(),
    raiseReadCapacity: members({ maxReadUnits: integer(1, MAX_UNITS), ...pace }).optional(),
  })
    .optional()
    .describe("Allows the proxy to raise the table's provisioned capacity."),
  cacheTtl: duration
    .optional()
    .describe('The maximum age of a cached shard count. The same in every process.'),
  lateRequests: duration
    .optional()
    .describe(
      'How long after the end of its shard count a write may take effect. The same in every process.',
    ),
  staleReads: duration
    .optional()
    .describe('How long reads may use an old shard count while the shard map does not answer.'),
  maxAttempts: integer(1, 100).optional().describe('The maximum number of attempts of a throttled request.'),
  retryDeadline: duration.optional().describe('The maximum time to retry a throttled request.'),
})

export type TableConfig = z.infer<typeof table>
