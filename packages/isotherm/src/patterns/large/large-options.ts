import type { Clock, Random } from '@isotherm/runtime'
import { SystemClock, SystemRandom } from '@isotherm/runtime'
import {
  invalidOption,
  refuseUnknown,
  requireInteger,
  requireObject,
  requireText,
} from '../../options/check.js'
import { type Duration, parseDuration } from '../../options/duration.js'
import type { ObjectStore } from '../object-store/object-store.js'
import { requireObjectStore } from '../object-store/require-object-store.js'
import { type Compression, knownCompressions } from './codec.js'

/** Options of `large`. */
export interface LargeOptions {
  /** Name of the table. */
  readonly table: string
  /** Name of its partition key. */
  readonly partitionKey: string
  /** Name of its sort key, if it has one. */
  readonly sortKey?: string | undefined
  /** Name of the table with chunks and the journal, which `ensureChunkTable` creates. Default `<table>_chunks`. */
  readonly chunkTable?: string | undefined
  /**
   * Where values go that do not fit into their item: `directoryStore(folder)`, `s3Store(client, { bucket })`, or your own. Default: items of
   * the chunk table.
   */
  readonly store?: ObjectStore | undefined
  /** How attributes are compressed where it pays. Default `'gzip'`. */
  readonly compression?: Compression | undefined
  /** An item may have so many bytes before attributes leave it. Default 408,576: DynamoDB's 400 KB less 1 KB. */
  readonly maxInlineBytes?: number | undefined
  /** Attributes with fewer bytes stay in the item as they are. Default 4,096. Values of index keys are never larger than 2,048. */
  readonly minAttributeBytes?: number | undefined
  /** Bytes of one piece. Default 408,576 for chunks, and 4,194,304 for objects. */
  readonly pieceBytes?: number | undefined
  /** An item with more bytes is refused. Default 104,857,600: 100 MB. */
  readonly maxItemBytes?: number | undefined
  /** A put that takes longer fails. Default `'15m'`. */
  readonly writeWithin?: Duration | undefined
  /** Pieces that one operation sends or reads at a time. Default 8. */
  readonly concurrency?: number | undefined
  /** Default: the system clock. */
  readonly clock?: Clock | undefined
  /** Default: the system's source of randomness. */
  readonly random?: Random | undefined
}

/** The checked options with all defaults. */
export interface ParsedLargeOptions {
  readonly table: string
  readonly keys: readonly string[]
  readonly chunkTable: string
  readonly store: ObjectStore | undefined
  readonly compression: Compression
  readonly maxInlineBytes: number
  readonly minAttributeBytes: number
  readonly pieceBytes: number
  readonly maxItemBytes: number
  readonly writeMilliseconds: number
  readonly concurrency: number
  readonly clock: Clock
  readonly random: Random
}

const KNOWN = [
  'table',
  'partitionKey',
  'sortKey',
  'chunkTable',
  'store',
  'compression',
  'maxInlineBytes',
  'minAttributeBytes',
  'pieceBytes',
  'maxItemBytes',
  'writeWithin',
  'concurrency',
  'clock',
  'random',
] as const satisfies readonly (keyof LargeOptions)[]

/** 400 KB, less 1 KB for keys of chunks and for attributes that the sharded client adds to items on the move. */
const MAX_BYTES_IN_ITEM = 408_576
/** A hundred objects for an item of the largest size, each compressed in a fraction of a second. */
const OBJECT_BYTES = 4_194_304
const MAX_OBJECT_BYTES = 67_108_864
/** Above the size of any index key, whose attribute has to stay as it is. */
const MIN_ATTRIBUTE_BYTES = 2_049
/** A value is in memory as a whole, and a string of Node has at most half a billion characters. */
const MAX_MAX_ITEM_BYTES = 402_653_184

/** @throws IsothermError `options.unknown` or `options.invalid` */
export function parseLargeOptions(options: LargeOptions): ParsedLargeOptions {
  requireObject('large', options, 'an object with table and partitionKey')
  refuseUnknown('large', options, KNOWN)
  const { compression = 'gzip', store, clock = new SystemClock({ noticesSuspension: true }) } = options
  if (!knownCompressions().includes(compression)) {
    const rule = `one of ${knownCompressions().join(', ')} with ${process.release.name} ${process.version}`
    throw invalidOption('large.compression', compression, rule)
  }
  const number = (name: NumericOption, standard: number, from: number, to: number) =>
    requireInteger(`large.${name}`, options[name] ?? standard, from, to)
  const table = requireText('large.table', options.table, 'the name of a table')
  const partitionKey = requireText('large.partitionKey', options.partitionKey, "the table's partition key")
  const sortKey =
    options.sortKey === undefined
      ? []
      : [requireText('large.sortKey', options.sortKey, "the table's sort key, or be left out")]
  const writeMilliseconds = parseDuration('large.writeWithin', options.writeWithin ?? '15m')
  if (writeMilliseconds === 0)
    throw invalidOption('large.writeWithin', options.writeWithin, 'longer than nothing')
  return {
    table,
    keys: [partitionKey, ...sortKey],
    chunkTable: requireText('large.chunkTable', options.chunkTable ?? defaultChunkTable(table), 'a name'),
    store: store === undefined ? undefined : requireObjectStore('large.store', store),
    compression,
    maxInlineBytes: number('maxInlineBytes', MAX_BYTES_IN_ITEM, 8_192, MAX_BYTES_IN_ITEM),
    minAttributeBytes: number('minAttributeBytes', 4_096, MIN_ATTRIBUTE_BYTES, MAX_BYTES_IN_ITEM),
    pieceBytes:
      store === undefined
        ? number('pieceBytes', MAX_BYTES_IN_ITEM, 1_024, MAX_BYTES_IN_ITEM)
        : number('pieceBytes', OBJECT_BYTES, 1_024, MAX_OBJECT_BYTES),
    maxItemBytes: number('maxItemBytes', 104_857_600, MAX_BYTES_IN_ITEM, MAX_MAX_ITEM_BYTES),
    writeMilliseconds,
    concurrency: number('concurrency', 8, 1, 100),
    clock,
    random: options.random ?? new SystemRandom(),
  }
}

type NumericOption = 'maxInlineBytes' | 'minAttributeBytes' | 'pieceBytes' | 'maxItemBytes' | 'concurrency'

/** The default name of the table with the chunks of a table. */
export function defaultChunkTable(table: string): string {
  return `${table}_chunks`
}
