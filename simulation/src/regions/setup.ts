/** How an application uses a global table of two regions. */
export interface Setup {
  /** As the documents name it. */
  readonly name: string
  readonly suffix: 'random' | 'calculated'
  readonly isFixed: boolean
  /** One shard map in the first region, or one in each, which replicate like the table. */
  readonly shardMaps: 1 | 2
  /** Whether counts also fall. */
  readonly shrinks: boolean
  /** Where the items of one key are written. */
  readonly writers: 'one region' | 'both regions'
  /** Whether all processes that write end while a count changes, and others begin after processes of the other region have completed it. */
  readonly writersLeave: boolean
  /** Whether `lateRequests` covers the time that replication takes. */
  readonly lateRequestsCoverLag: boolean
  readonly promised: Promise
}

/** `always`: a process finds everything that was acknowledged in its region, and at the end everything. */
type Promise = 'always' | 'nothing'

const RANDOM = {
  suffix: 'random',
  isFixed: false,
  shardMaps: 1,
  shrinks: false,
  writers: 'both regions',
  writersLeave: false,
  lateRequestsCoverLag: false,
  promised: 'always',
} as const satisfies Omit<Setup, 'name'>

const CALCULATED = {
  ...RANDOM,
  suffix: 'calculated',
  shrinks: true,
  writers: 'one region',
} as const satisfies Omit<Setup, 'name'>

export const SETUPS: readonly Setup[] = [
  { ...RANDOM, name: '`fixedShards`, random suffix', isFixed: true },
  { ...CALCULATED, name: '`fixedShards`, calculated suffix', isFixed: true, writers: 'both regions' },
  { ...RANDOM, name: 'one shard map, random suffix, counts only grow' },
  {
    ...RANDOM,
    name: 'one shard map, random suffix, counts fall, `lateRequests` covers the lag',
    shrinks: true,
    lateRequestsCoverLag: true,
    promised: 'nothing',
  },
  {
    ...RANDOM,
    name: 'one shard map, random suffix, counts fall, the lag is longer',
    shrinks: true,
    promised: 'nothing',
  },
  { ...CALCULATED, name: 'one shard map, calculated suffix, one region writes a key' },
  {
    ...CALCULATED,
    name: 'one shard map, calculated suffix, one region writes a key, and the other completes its changes',
    writersLeave: true,
    promised: 'nothing',
  },
  {
    ...CALCULATED,
    name: 'one shard map, calculated suffix, both regions write a key',
    writers: 'both regions',
    promised: 'nothing',
  },
  { ...RANDOM, name: 'a replicated shard map, random suffix', shardMaps: 2, promised: 'nothing' },
]
