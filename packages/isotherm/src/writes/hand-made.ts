import { FunctionNames, type NameFunctions } from '../keys/function-names.js'
import { ambiguousTexts, ListedNames } from '../keys/listed-names.js'
import type { ShardNames } from '../keys/shard-names.js'
import {
  invalidOption,
  refuseUnknown,
  requireBoolean,
  requireInteger,
  requireText,
} from '../options/check.js'
import { MAX_SHARDS } from '../options/shard-limits.js'
import type { DynamicShards, FixedShards } from '../scaling/shards.js'
import { type CalculatedSuffix, calculated } from './calculated.js'
import { type HandMadeIndexes, type HandMadeTable, requireHandMadeTable } from './check-hand-made.js'
import type { HandMadeOptions, LabelledShards, NumberedShards } from './hand-made-options.js'
import { ownPlaceOf } from './own-place.js'

/** A suffix of a table that was sharded by hand, with its own names of shards and its own placement. */
export interface HandMade {
  readonly kind: 'hand-made'
  /** The name that you gave the scheme. */
  readonly name: string
  /** @internal How items are placed: `'random'`, or calculated with the application's function. */
  readonly placement: 'random' | CalculatedSuffix
  /**
   * Checks that the other options are compatible.
   * @internal
   */
  readonly check: (path: string, table: HandMadeTable, indexes: HandMadeIndexes) => void
  /** @internal The names of a table with these shards. */
  readonly open: (table: string, shards: FixedShards | DynamicShards) => ShardNames
}

const KNOWN_OPTIONS = [
  'name',
  'shardOf',
  'acceptLookalikes',
  'delimiter',
  'position',
  'first',
  'digits',
  'labels',
  'format',
  'parse',
]

/** Half a character, which the service would replace. */
const LONE_SURROGATE = /\p{Surrogate}/u

/** Numbers above have no use, and more digits. */
const MAX_FIRST = 1_000_000

/**
 * Describes a table that an application has sharded by hand, so that the library can be used without rewriting its items:
 * how a stored key is made of the logical key and the shard, and how the shard of an item is calculated. The table needs
 * `fixedShards(n)` with the number of shards that it has.
 *
 * Check it with `checkHandMade` before you use it.
 *
 * @throws IsothermError `options.invalid` or `options.unknown`
 * @example
 * // Stored as `Campaign#101#7`: md5(key + time) % 10 + 1
 * const suffix = handMade({
 *   name: 'votes',
 *   delimiter: '#',
 *   shardOf: ({ partitionKey, sortKey, shards }) =>
 *     (Number.parseInt(hash('md5', `${partitionKey}${sortKey}`).slice(0, 8), 16) % shards) + 1,
 * })
 */
export function handMade(options: HandMadeOptions): HandMade {
  refuseUnknown('handMade', Object(options), KNOWN_OPTIONS)
  const name = requireText('handMade.name', options.name, 'a name of your choice for this scheme')
  const { shardOf } = options
  if (shardOf !== 'random' && typeof shardOf !== 'function') {
    const rule =
      "a function that returns the shard of an item, or 'random' if it cannot be calculated from the key"
    throw invalidOption('handMade.shardOf', shardOf, rule)
  }
  const namesFor = namesOf(options, name)
  let last: { readonly table: string; readonly shards: number; readonly names: ShardNames } | undefined
  const open: HandMade['open'] = (table, given) => {
    const shards = countOf(given)
    // Stream records are converted one at a time, and the names of a thousand shards are many.
    if (last?.table !== table || last.shards !== shards)
      last = { table, shards, names: namesFor(table, shards) }
    return last.names
  }
  const labels = options.labels ?? options.first ?? 1
  const placement =
    shardOf === 'random'
      ? shardOf
      : Object.freeze({ ...calculated(), ownPlace: ownPlaceOf(name, shardOf, labels) })
  const value: HandMade = {
    kind: 'hand-made',
    name,
    placement,
    check: (path, table, indexes) => {
      requireHandMadeTable(path, placement, table, indexes)
      // Throws if the names are not compatible with the count.
      open(path, table.shards)
    },
    open,
  }
  return Object.freeze(value)
}

/** Whether the value is a result of `handMade`. */
export function isHandMade(suffix: unknown): suffix is HandMade {
  return Object(suffix).kind === 'hand-made'
}

/** @throws IsothermError `options.invalid` */
function countOf(shards: FixedShards | DynamicShards): number {
  if (shards.kind === 'fixed') return shards.count()
  throw invalidOption('shards', 'dynamicShards', 'fixedShards(n) with handMade')
}

function namesOf(options: HandMadeOptions, scheme: string): (table: string, shards: number) => ShardNames {
  const acceptsLookalikes = requireBoolean('handMade.acceptLookalikes', options.acceptLookalikes ?? false)
  const { format, parse } = options
  if (format === undefined && parse === undefined) {
    const textsFor = listedTexts(options as NumberedShards | LabelledShards)
    const position = options.position ?? 'suffix'
    if (position !== 'suffix' && position !== 'prefix') {
      throw invalidOption('handMade.position', position, "'suffix' or 'prefix'")
    }
    return (table, shards) => {
      const texts = textsFor(shards)
      const clash = ambiguousTexts({ texts, position })
      if (clash === undefined) return new ListedNames(table, { texts, position, acceptsLookalikes })
      const rule = `such that every stored key is of one shard: ${clash[1]} ${position === 'suffix' ? 'ends' : 'begins'} with ${clash[0]}. Set digits, or give the whole delimiter`
      throw invalidOption('handMade.delimiter', options.delimiter, rule)
    }
  }
  for (const [option, value] of Object.entries({ format, parse })) {
    if (typeof value !== 'function')
      throw invalidOption(`handMade.${option}`, value, 'a function, beside the other one')
  }
  for (const option of ['delimiter', 'position', 'first', 'digits', 'labels'] as const) {
    if (options[option] === undefined) continue
    throw invalidOption(
      `handMade.${option}`,
      options[option],
      'left out beside format and parse, which make the whole key',
    )
  }
  const functions = { scheme, format, parse, acceptsLookalikes } as Omit<NameFunctions, 'shards'>
  return (table, shards) => new FunctionNames(table, { ...functions, shards })
}

/** Returns a function that returns the text of each shard. */
function listedTexts({
  delimiter,
  position,
  ...names
}: NumberedShards | LabelledShards): (shards: number) => readonly string[] {
  const rule = 'the text between the logical key and the shard, up to 16 characters'
  if (typeof delimiter !== 'string' || delimiter.length > 16 || LONE_SURROGATE.test(delimiter)) {
    throw invalidOption('handMade.delimiter', delimiter, rule)
  }
  const joined = (shard: string) => (position === 'prefix' ? shard + delimiter : delimiter + shard)
  if (names.labels !== undefined) return labelled(names, joined)
  const first = requireInteger('handMade.first', names.first ?? 1, 0, MAX_FIRST)
  const digits = requireInteger('handMade.digits', names.digits ?? 1, 1, 9)
  return (shards) =>
    Array.from({ length: shards }, (_, index) => joined(String(first + index).padStart(digits, '0')))
}

function labelled(
  { labels, first, digits }: Omit<NumberedShards | LabelledShards, 'delimiter' | 'position'>,
  joined: (label: string) => string,
): (shards: number) => readonly string[] {
  const option = 'handMade.labels'
  if (first !== undefined || digits !== undefined) {
    throw invalidOption(option, labels, 'left out beside first and digits, which are for numbers')
  }
  const isLabel = (label: unknown) =>
    typeof label === 'string' && label.length <= 64 && !LONE_SURROGATE.test(label)
  if (!Array.isArray(labels) || labels.length === 0 || labels.length > MAX_SHARDS || !labels.every(isLabel)) {
    throw invalidOption(option, labels, `a list of up to ${MAX_SHARDS} texts, each with up to 64 characters`)
  }
  const texts: readonly string[] = labels.map(joined)
  return (shards) => {
    if (shards === texts.length) return texts
    throw invalidOption(
      option,
      labels,
      `a list of ${shards} labels, because shards is fixedShards(${shards})`,
    )
  }
}
