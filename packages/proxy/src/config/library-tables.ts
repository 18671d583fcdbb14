import {
  calculated,
  type DynamicShards,
  doubling,
  dynamicShards,
  type FixedShards,
  fixedShards,
  growByReads,
  handMade,
  type IsothermOptions,
  incrementBy,
  proportional,
  raiseReadCapacity,
  raiseWriteCapacity,
  type ScalingPolicy,
} from 'isotherm'
import type { ShardsConfig, SuffixConfig } from './shard-schemas.js'
import type { TableConfig } from './table-schemas.js'

type Tables = IsothermOptions['tables']

/** Where in a configuration an option comes from. */
type OptionPath = readonly (string | number)[]

/** Runs the conversion of one option, so that an error can name its line. */
export type Locate = <Result>(path: OptionPath, convert: () => Result) => Result

/**
 * The library's options of the configured tables.
 * @throws IsothermError for values that do not fit together, through `at`
 */
export function libraryTables(tables: { readonly [table: string]: TableConfig }, at: Locate): Tables {
  const converted = Object.entries(tables).map(([name, table]) => [
    name,
    libraryTable(table, ['tables', name], at),
  ])
  return Object.fromEntries(converted)
}

function libraryTable(config: TableConfig, path: OptionPath, at: Locate): Tables[string] {
  const { suffix, shards, indexes, capacity, ...same } = config
  return {
    ...same,
    ...(suffix === undefined ? {} : { suffix: at([...path, 'suffix'], () => suffixOf(suffix)) }),
    ...(shards === undefined ? {} : { shards: at([...path, 'shards'], () => shardsOf(shards)) }),
    ...(capacity === undefined ? {} : { capacity: at([...path, 'capacity'], () => raisesOf(capacity)) }),
    ...(indexes === undefined ? {} : { indexes: indexesOf(indexes, [...path, 'indexes'], at) }),
  } as Tables[string]
}

function suffixOf(config: SuffixConfig) {
  if (typeof config === 'string') return config
  if ('calculated' in config) return calculated(config.calculated as Parameters<typeof calculated>[0])
  return handMade(config.handMade as unknown as Parameters<typeof handMade>[0])
}

function shardsOf(config: ShardsConfig): FixedShards | DynamicShards {
  if (config === 'dynamic') return dynamicShards()
  if ('fixed' in config) return fixedShards(config.fixed)
  const { policy, reads, ...same } = config.dynamic
  return dynamicShards({
    ...same,
    ...(policy === undefined ? {} : { policy: policyOf(policy) }),
    ...(reads === undefined
      ? {}
      : { reads: growByReads(reads === 'growByReads' ? {} : (reads.growByReads as object)) }),
  } as unknown as Parameters<typeof dynamicShards>[0])
}

type PolicyConfig = NonNullable<Extract<ShardsConfig, { dynamic: unknown }>['dynamic']['policy']>

function policyOf(config: PolicyConfig): ScalingPolicy {
  if (config === 'proportional') return proportional()
  if (config === 'doubling') return doubling()
  if ('incrementBy' in config) return incrementBy(config.incrementBy)
  return proportional(config.proportional as Parameters<typeof proportional>[0])
}

function raisesOf({
  raiseWriteCapacity: write,
  raiseReadCapacity: read,
}: NonNullable<TableConfig['capacity']>) {
  return [
    ...(write === undefined ? [] : [raiseWriteCapacity(write as Parameters<typeof raiseWriteCapacity>[0])]),
    ...(read === undefined ? [] : [raiseReadCapacity(read as Parameters<typeof raiseReadCapacity>[0])]),
  ]
}

function indexesOf(indexes: NonNullable<TableConfig['indexes']>, path: OptionPath, at: Locate) {
  const converted = Object.entries(indexes).map(([name, index]) => {
    if (!('shards' in index)) return [name, index]
    return [name, { ...index, shards: at([...path, name, 'shards'], () => shardsOf(index.shards)) }]
  })
  return Object.fromEntries(converted)
}
