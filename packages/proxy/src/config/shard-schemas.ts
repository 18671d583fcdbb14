import { z } from 'zod'
import { decimal, duration, integer, members, text, texts, truth, word } from './option-schemas.js'

const MAX_SHARDS = 1_000
const MAX_UNITS = 1_000_000

const policy = z.union(
  [
    z.enum(['proportional', 'doubling']),
    members({ proportional: members({ targetUtilization: decimal(0.01, 1).optional() }) }),
    members({ incrementBy: integer(1, 100) }),
  ],
  { error: 'proportional, doubling, { proportional: { targetUtilization: 0.7 } } or { incrementBy: 1 }' },
)

const reads = z.union(
  [
    z.literal('growByReads'),
    members({ growByReads: members({ partitionUnitsPerSecond: integer(1, MAX_UNITS).optional() }) }),
  ],
  { error: 'growByReads or { growByReads: { partitionUnitsPerSecond: 3000 } }' },
)

const dynamic = members({
  initial: integer(1, MAX_SHARDS).optional().describe('The shard count of a new key.'),
  max: integer(1, MAX_SHARDS).optional().describe('The maximum shard count of a key.'),
  cooldown: duration.optional().describe("The minimum time between two changes of a key's count."),
  jitter: z
    .tuple([duration, duration], { error: "two durations, the shorter first, such as ['1s', '1500ms']" })
    .optional()
    .describe('The bounds of the random time for which the heat is measured before a change.'),
  policy: policy.optional().describe('Decides how many shards a throttled key gets.'),
  quiet: z
    .union([z.literal(false), duration], { error: "a duration from '1m' up, or false" })
    .optional()
    .describe('How long a key is quiet before it may lose shards.'),
  shrink: word('when-it-pays', 'always').optional().describe('When a quiet key loses shards.'),
  shrinkUnitsPerDay: integer(0, Number.MAX_SAFE_INTEGER)
    .optional()
    .describe('The write units a day that moving items of quiet keys may use.'),
  drainUnitsPerSecond: integer(10, 10_000)
    .optional()
    .describe('The capacity units a second that moving items of one key may use.'),
  partitionUnitsPerSecond: integer(1, MAX_UNITS)
    .optional()
    .describe('The write units a second that one partition accepts.'),
  reads: reads.optional().describe('Lets throttled reads add shards, too.'),
})

/** The number of shards of a key. */
export const shards = z.union(
  [z.literal('dynamic'), members({ dynamic }), members({ fixed: integer(1, MAX_SHARDS) })],
  { error: 'dynamic, { dynamic: { initial: 1, max: 200 } } or { fixed: 8 }' },
)

const handMade = members({
  name: text('a name of your choice'),
  shardOf: z
    .literal('random', {
      error: 'random: a shard that is calculated needs a function, which only the library can have',
    })
    .describe('The proxy supports schemes whose shard cannot be calculated from the key.'),
  acceptLookalikes: truth().optional(),
  delimiter: z.string({ error: 'a text' }),
  position: word('suffix', 'prefix').optional(),
  first: integer(0, MAX_UNITS).optional(),
  digits: integer(1, 9).optional(),
  labels: texts('a list of texts').optional(),
})

/** How the shard of an item is chosen. */
export const suffix = z.union(
  [
    z.enum(['random', 'calculated']),
    members({
      calculated: members({ from: texts('a list of attribute names of the primary key').optional() }),
    }),
    members({ handMade }),
  ],
  { error: "random, calculated, { calculated: { from: ['order_id'] } } or { handMade: { ... } }" },
)

export type ShardsConfig = z.infer<typeof shards>
export type SuffixConfig = z.infer<typeof suffix>
