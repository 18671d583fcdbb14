import * as v from 'valibot'
import {
  decimal,
  described,
  duration,
  integer,
  members,
  named,
  optional,
  text,
  texts,
  truth,
} from './option-schemas.js'
import { shards, suffix } from './shard-schemas.js'

const index = v.union(
  [
    members({
      partitionKey: text('the name of an attribute'),
      sortKey: v.optional(text('the name of an attribute')),
      shards,
      shadowKey: v.optional(text('the name of an attribute')),
      shardAttribute: v.optional(text('the name of an attribute')),
    }),
    members({ sortKey: text('the name of an attribute') }),
  ],
  'an object with partitionKey and shards, or with sortKey alone',
)

const pace = { factor: v.optional(decimal(1, 10)), cooldown: v.optional(duration) }
const MAX_UNITS = Number.MAX_SAFE_INTEGER

const tableMembers = members({
  partitionKey: described(
    text("the name of the table's partition key"),
    "The name of the table's partition key attribute.",
  ),
  sortKey: optional(text("the name of the table's sort key"), "The name of the table's sort key attribute."),
  suffix: optional(
    suffix,
    'random for appends; calculated for items that are read, updated or written with conditions.',
  ),
  shards: optional(shards, 'The number of shards of each logical key.'),
  indexes: optional(
    named(index, 'an object with a member for each index'),
    'Indexes whose queries read several shards, by name.',
  ),
  readReplicas: v.optional(texts('a list of names of indexes')),
  shardMap: optional(text('the name of a table'), 'The name of the shard map; <table>_shard_map without it.'),
  delimiter: optional(
    text('a text of 1 to 16 characters'),
    'The text between the logical key and the shard; _ without it.',
  ),
  adopt: optional(truth(), 'Whether shard 1 uses the key without a suffix. Never change it afterwards.'),
  checkItems: optional(truth(), "Whether a sample of the table's items is compared with the options."),
  transactions: optional(truth(), 'Whether the database supports transactions.'),
  capacity: optional(
    members({
      raiseWriteCapacity: v.optional(members({ maxWriteUnits: integer(1, MAX_UNITS), ...pace })),
      raiseReadCapacity: v.optional(members({ maxReadUnits: integer(1, MAX_UNITS), ...pace })),
    }),
    "Allows the proxy to raise the table's provisioned capacity.",
  ),
  cacheTtl: optional(duration, 'The maximum age of a cached shard count. The same in every process.'),
  lateRequests: optional(
    duration,
    'How long after the end of its shard count a write may take effect. The same in every process.',
  ),
  staleReads: optional(
    duration,
    'How long reads may use an old shard count while the shard map does not answer.',
  ),
  maxAttempts: optional(integer(1, 100), 'The maximum number of attempts of a throttled request.'),
  retryDeadline: optional(duration, 'The maximum time to retry a throttled request.'),
})

export type TableConfig = v.InferOutput<typeof tableMembers>

/** The options of one table, as the library has them. */
export const table: v.GenericSchema<unknown, TableConfig> = tableMembers
