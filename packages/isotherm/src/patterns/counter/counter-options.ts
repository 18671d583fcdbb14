import { invalidOption, requireInteger, requireText } from '../../options/check.js'
import { type Duration, parseDuration } from '../../options/duration.js'
import { refuseHalfPairs } from '../half-pairs.js'
import { type ParsedPatternOptions, type PatternOptions, parsePatternOptions } from '../pattern-options.js'
import { sharedName } from '../shared-name.js'

/** Options of `counter`. */
export interface CounterOptions extends PatternOptions {
  /** The name of the counter: the partition key of its first item. Other items of the counter add to it. */
  readonly key: string
  /** The number of shards of a counter that nobody has used. The default is 1. */
  readonly initial?: number | undefined
  /** The maximum number of shards, 1 to 1,000. Reading the counter reads each of them. The default is 256. */
  readonly max?: number | undefined
  /** The minimum time between two growths. The default is `'1s'`. */
  readonly cooldown?: Duration | undefined
  /** How long a process uses the number of shards that it has read. Only the spread of the load depends on it. The default is `'1m'`. */
  readonly cacheTtl?: Duration | undefined
  /** How long an idempotency token is remembered, at least. The default is `'24h'`. */
  readonly tokenTtl?: Duration | undefined
  /**
   * The attribute with the time at which a token may be deleted, in seconds since the Unix epoch. Enable time to live for it, or
   * tokens are kept forever. The default is `'expires_at'`.
   */
  readonly ttlAttribute?: string | undefined
}

/** The same, checked. */
export interface ParsedCounterOptions extends ParsedPatternOptions {
  readonly key: string
  readonly initial: number
  readonly max: number
  readonly cooldownMilliseconds: number
  readonly cacheMilliseconds: number
  readonly tokenMilliseconds: number
  readonly ttlAttribute: string
}

const OWN = ['key', 'initial', 'max', 'cooldown', 'cacheTtl', 'tokenTtl', 'ttlAttribute'] as const

/** The counter's own attributes of its items, besides their keys and `ttlAttribute`. */
const ATTRIBUTES = [
  'n',
  'closed',
  'counted_by',
  'shards',
  'highest',
  'generation',
  'made_by',
  'moves',
  'moved_by',
  'rolled_up',
  'steps',
  'changed_at',
  'reset_by',
]

/** Stands between the name of a counter and the part that distinguishes its items. */
export const INFIX = '#isotherm#'

const MAX_SHARDS = 1_000
/** A partition key has 2,048 bytes, of which an item of the counter adds some to the name, and a token up to 512. */
const MAX_KEY_BYTES = 1_024

/** @throws IsothermError `options.invalid` or `options.unknown` */
export function parseCounterOptions(options: CounterOptions): ParsedCounterOptions {
  const common = parsePatternOptions('counter', options, OWN)
  const ttlAttribute = requireText(
    'counter.ttlAttribute',
    options.ttlAttribute ?? 'expires_at',
    'the name of an attribute',
  )
  requireDistinct({ partitionKey: common.partitionKey, sortKey: common.sortKey, ttlAttribute })
  const max = requireInteger('counter.max', options.max ?? 256, 1, MAX_SHARDS)
  return {
    ...common,
    key: requireCounterKey(options.key),
    max,
    initial: requireInteger('counter.initial', options.initial ?? 1, 1, max),
    cooldownMilliseconds: parseDuration('counter.cooldown', options.cooldown ?? '1s'),
    cacheMilliseconds: parseDuration('counter.cacheTtl', options.cacheTtl ?? '1m'),
    tokenMilliseconds: parseDuration('counter.tokenTtl', options.tokenTtl ?? '24h'),
    ttlAttribute,
  }
}

function requireDistinct(names: Readonly<Record<string, string | undefined>>): void {
  const shared = sharedName(names, ATTRIBUTES)
  if (shared === undefined) return
  const rule = 'another name: the counter has an attribute of this name'
  throw invalidOption(`counter.${shared.option}`, shared.name, rule)
}

function requireCounterKey(key: unknown): string {
  const text = requireText('counter.key', key, 'the name of the counter, as text')
  if (text.includes(INFIX)) {
    throw invalidOption('counter.key', text, `text without ${INFIX}, which stands in the keys of its shards`)
  }
  refuseHalfPairs('counter.key', text)
  if (Buffer.byteLength(text) > MAX_KEY_BYTES)
    throw invalidOption('counter.key', text, `text of at most ${MAX_KEY_BYTES} bytes`)
  return text
}
