import * as v from 'valibot'
import {
  decimal,
  described,
  duration,
  integer,
  members,
  optional,
  text,
  texts,
  truth,
  word,
} from './option-schemas.js'

const MAX_SHARDS = 1_000
const MAX_UNITS = 1_000_000

const policy = v.union(
  [
    v.picklist(['proportional', 'doubling']),
    members({ proportional: members({ targetUtilization: v.optional(decimal(0.01, 1)) }) }),
    members({ incrementBy: integer(1, 100) }),
  ],
  'proportional, doubling, { proportional: { targetUtilization: 0.7 } } or { incrementBy: 1 }',
)

const reads = v.union(
  [
    v.literal('growByReads'),
    members({ growByReads: members({ partitionUnitsPerSecond: v.optional(integer(1, MAX_UNITS)) }) }),
  ],
  'growByReads or { growByReads: { partitionUnitsPerSecond: 3000 } }',
)

const JITTER_RULE = "two durations, the shorter first, such as ['1s', '1500ms']"

const dynamic = members({
  initial: optional(integer(1, MAX_SHARDS), 'The shard count of a new key.'),
  max: optional(integer(1, MAX_SHARDS), 'The maximum shard count of a key.'),
  cooldown: optional(duration, "The minimum time between two changes of a key's count."),
  jitter: optional(
    v.pipe(v.array(duration, JITTER_RULE), v.length(2, JITTER_RULE)),
    'The bounds of the random time for which the heat is measured before a change.',
  ),
  policy: optional(policy, 'Decides how many shards a throttled key gets.'),
  quiet: optional(
    v.union([v.literal(false), duration], "a duration from '1m' up, or false"),
    'How long a key is quiet before it may lose shards.',
  ),
  shrink: optional(word('when-it-pays', 'always'), 'When a quiet key loses shards.'),
  shrinkUnitsPerDay: optional(
    integer(0, Number.MAX_SAFE_INTEGER),
    'The write units a day that moving items of quiet keys may use.',
  ),
  drainUnitsPerSecond: optional(
    integer(10, 10_000),
    'The capacity units a second that moving items of one key may use.',
  ),
  partitionUnitsPerSecond: optional(
    integer(1, MAX_UNITS),
    'The write units a second that one partition accepts.',
  ),
  reads: optional(reads, 'Lets throttled reads add shards, too.'),
})

const shardsForms = v.union(
  [v.literal('dynamic'), members({ dynamic }), members({ fixed: integer(1, MAX_SHARDS) })],
  'dynamic, { dynamic: { initial: 1, max: 200 } } or { fixed: 8 }',
)

const handMade = members({
  name: text('a name of your choice'),
  shardOf: described(
    v.literal(
      'random',
      'random: a shard that is calculated needs a function, which only the library can have',
    ),
    'The proxy supports schemes whose shard cannot be calculated from the key.',
  ),
  acceptLookalikes: v.optional(truth()),
  delimiter: v.string('a text'),
  position: v.optional(word('suffix', 'prefix')),
  first: v.optional(integer(0, MAX_UNITS)),
  digits: v.optional(integer(1, 9)),
  labels: v.optional(texts('a list of texts')),
})

const suffixForms = v.union(
  [
    v.picklist(['random', 'calculated']),
    members({
      calculated: members({ from: v.optional(texts('a list of attribute names of the primary key')) }),
    }),
    members({ handMade }),
  ],
  "random, calculated, { calculated: { from: ['order_id'] } } or { handMade: { ... } }",
)

export type ShardsConfig = v.InferOutput<typeof shardsForms>
export type SuffixConfig = v.InferOutput<typeof suffixForms>

// Without the types of their parts, which together are too deep for the compiler.

/** The number of shards of a key. */
export const shards: v.GenericSchema<unknown, ShardsConfig> = shardsForms

/** How the shard of an item is chosen. */
export const suffix: v.GenericSchema<unknown, SuffixConfig> = suffixForms
