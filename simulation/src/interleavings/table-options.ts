import type { DynamicShardsOptions, ShardedTableOptions } from 'isotherm'
import type { Library } from '../world/library.js'
import { durationIn } from './duration.js'
import type { Options, ScriptIndex, ScriptTable } from './script.js'

/** What an option of a table says; each is named as in the library, but for those that are only words. */
const TABLE_OPTIONS = [
  'random',
  'calculated',
  'fixed',
  'initial',
  'max',
  'cooldown',
  'jitter',
  'policy',
  'quiet',
  'shrink',
  'drainUnitsPerSecond',
  'partitionUnitsPerSecond',
  'cacheTtl',
  'lateRequests',
  'adopt',
  'transactions',
  'readReplicas',
  'maxAttempts',
  'retryDeadline',
  'key',
  'sort',
  'index',
] as const

/** Options that a process may have in another way than its table. */
const PROCESS_OPTIONS = [
  'cacheTtl',
  'lateRequests',
  'transactions',
  'quiet',
  'shrink',
  'maxAttempts',
  'retryDeadline',
] as const

/** @throws Error for an option that a table does not have */
export function scriptTable(name: string, options: Options): ScriptTable {
  if (!/^\w+$/.test(name)) throw new Error('a table has one word for its name: write "table log: random"')
  requireKnown(options, TABLE_OPTIONS)
  const [sortKey = 'sk', sortType = 'number'] = options.get('sort') ?? []
  if (sortType !== 'number' && sortType !== 'string')
    throw new Error('a sort key is a number or a string: write "sort sk string"')
  return {
    name,
    partitionKey: options.get('key')?.[0] ?? 'pk',
    sortKey,
    sortType: sortType === 'number' ? 'N' : 'S',
    indexes: indexesOf(options.get('index') ?? []),
    options,
  }
}

/** The options of a table as the library takes them, for one process. @throws Error for a value that is none */
export function shardedTableOptions(
  library: Library,
  { partitionKey, sortKey, indexes, options }: ScriptTable,
  ofProcess: Options,
): ShardedTableOptions {
  requireKnown(ofProcess, [...PROCESS_OPTIONS, 'seed', 'rate', 'calendar'])
  const all = new Map([...options, ...[...ofProcess].filter(([name]) => isOf(PROCESS_OPTIONS, name))])
  const first = (name: string) => all.get(name)?.[0]
  const fixed = first('fixed')
  const sharded = indexes.map(({ name, partitionKey: key, sortKey: sort, shards }) => [
    name,
    {
      partitionKey: key,
      ...(sort === undefined ? {} : { sortKey: sort }),
      shards: library.fixedShards(shards),
    },
  ])
  return {
    partitionKey,
    sortKey,
    suffix: all.has('calculated') ? 'calculated' : 'random',
    shards:
      fixed === undefined
        ? library.dynamicShards(dynamicOptions(library, all))
        : library.fixedShards(Number(fixed)),
    adopt: all.has('adopt'),
    transactions: first('transactions') !== 'off',
    readReplicas: replicasOf(all),
    ...(indexes.length === 0 ? {} : { indexes: Object.fromEntries(sharded) }),
    ...durations(all, ['cacheTtl', 'lateRequests', 'retryDeadline']),
    ...numbers(all, ['maxAttempts']),
  }
}

/** The names of its read replicas. */
function replicasOf(options: Options): readonly string[] {
  return Array.from(
    { length: Number(options.get('readReplicas')?.[0] ?? 0) },
    (_, number) => `replica${number}`,
  )
}

function dynamicOptions(library: Library, all: Options): DynamicShardsOptions {
  const [from, to] = all.get('jitter') ?? []
  const quiet = all.get('quiet')?.[0] ?? 'off'
  const [policy, by = '1'] = all.get('policy') ?? []
  return {
    quiet: quiet === 'off' ? false : milliseconds(quiet),
    shrink: all.get('shrink')?.[0] === 'when-it-pays' ? 'when-it-pays' : 'always',
    ...(from === undefined || to === undefined ? {} : { jitter: [milliseconds(from), milliseconds(to)] }),
    ...(policy === undefined ? {} : { policy: policyOf(library, policy, Number(by)) }),
    ...durations(all, ['cooldown']),
    ...numbers(all, ['initial', 'max', 'drainUnitsPerSecond', 'partitionUnitsPerSecond']),
  }
}

function policyOf(library: Library, name: string, by: number) {
  switch (name) {
    case 'proportional':
      return library.proportional()
    case 'doubling':
      return library.doubling()
    case 'incrementBy':
      return library.incrementBy(by)
    default:
      throw new Error(`there is no policy ${name}; there are proportional, doubling and incrementBy`)
  }
}

/** `index by_status status at 2`: name, partition key, sort key where it has one, shards. */
function indexesOf(words: readonly string[]): readonly ScriptIndex[] {
  if (words.length === 0) return []
  const [name = '', partitionKey = '', ...rest] = words
  const shards = Number(rest.at(-1))
  if (!Number.isInteger(shards))
    throw new Error('write an index as "index by_status status at 2", with its shards at the end')
  return [{ name, partitionKey, sortKey: rest.length === 2 ? rest[0] : undefined, shards }]
}

function durations<Name extends string>(all: Options, names: readonly Name[]): Partial<Record<Name, number>> {
  return given(all, names, milliseconds)
}

function numbers<Name extends string>(all: Options, names: readonly Name[]): Partial<Record<Name, number>> {
  return given(all, names, Number)
}

function given<Name extends string>(all: Options, names: readonly Name[], read: (word: string) => number) {
  const entries = names.flatMap((name) => {
    const word = all.get(name)?.[0]
    return word === undefined ? [] : [[name, read(word)] as const]
  })
  return Object.fromEntries(entries) as Partial<Record<Name, number>>
}

function milliseconds(word: string): number {
  const known = durationIn(word)
  if (known === undefined) throw new Error(`${word} is no time; write it as 250ms, 57s or 1.5m`)
  return known
}

/** @throws Error for an option that is not among the names */
export function requireKnown(options: Options, names: readonly string[]): void {
  const unknown = [...options.keys()].find((name) => !names.includes(name))
  if (unknown !== undefined) throw new Error(`there is no option ${unknown}; there are ${names.join(', ')}`)
}

function isOf(names: readonly string[], name: string): boolean {
  return names.includes(name)
}
