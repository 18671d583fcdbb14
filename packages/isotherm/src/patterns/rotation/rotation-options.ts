import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb'
import { type Clock, type Random, SystemClock, SystemRandom } from '@isotherm/runtime'
import {
  invalidOption,
  refuseUnknown,
  requireBoolean,
  requireInteger,
  requireObject,
  requireText,
} from '../../options/check.js'
import { type Duration, parseDuration } from '../../options/duration.js'
import { type PatternClient, type Sender, toSender } from '../sending/pattern-client.js'
import { type Calendar, type PeriodLength, parsePeriod } from './periods.js'
import { parseTimeFormat, type TimeFormat, type TimeFormatName } from './time-format.js'

/** How a table of a period is made, besides its name and key. */
export type TableDefinition = Partial<Omit<CreateTableCommandInput, 'TableName' | 'KeySchema'>>

/** Options of `rotation`. */
export interface RotationOptions {
  /** Begins the names of all tables: `log` for `log_2026-11`. */
  readonly table: string
  /** Name of the partition key: a string, unless `definition` says otherwise. */
  readonly partitionKey: string
  /** Name of the sort key, which is the time of the item. */
  readonly sortKey: string
  /** How the sort key contains the time. Default `'iso'`: a timestamp in UTC with anything behind it. */
  readonly time?: TimeFormatName | TimeFormat | undefined
  /** A table for each month, week or day in UTC, or for each odd period. */
  readonly period: PeriodLength
  /** Name of the table that lists the periods, which `ensureCatalog` creates. Default `<table>_periods`. */
  readonly catalog?: string | undefined
  /** Whether a writer creates the table of a period that has none. Default `true`. */
  readonly create?: boolean | undefined
  /** Indexes, capacity and the like of new tables. Default: on demand. */
  readonly definition?: TableDefinition | undefined
  /** Is called when a new table is active, before it is used: for a shard map, a time to live, backups. */
  readonly onTable?: ((table: string) => Promise<unknown>) | undefined
  /** The client for a table, where each has its own. Default: the client that was passed in. */
  readonly clientOf?: ((table: string) => PatternClient) | undefined
  /** How long before a period begins its table is created. Default `'1h'`. */
  readonly createAhead?: Duration | undefined
  /** Items of so many past periods get a table if there is none. Default 12. */
  readonly maxPast?: number | undefined
  /** Items of so many future periods do. Default 1. */
  readonly maxFuture?: number | undefined
  /** Capacity of the tables of past periods, if they are provisioned. `lowerOld` sets it. */
  readonly oldCapacity?: { readonly read: number; readonly write: number } | undefined
  /** How long a process uses what it has read of the catalog. Default `'30s'`. */
  readonly cacheTtl?: Duration | undefined
  /** How long after it was sent a write may arrive. A period is archived so long after it was closed. Default `'1m'`. */
  readonly lateRequests?: Duration | undefined
  /** Default: the system clock. */
  readonly clock?: Clock | undefined
  /** Default: the system's source of randomness. */
  readonly random?: Random | undefined
}

/** The checked options with all defaults. */
export interface ParsedRotationOptions {
  readonly table: string
  readonly partitionKey: string
  /** As `definition` says, or `S`. */
  readonly partitionKeyType: string
  readonly sortKey: string
  readonly time: TimeFormat
  readonly calendar: Calendar
  readonly catalog: string
  readonly create: boolean
  readonly definition: TableDefinition
  readonly onTable: ((table: string) => Promise<unknown>) | undefined
  readonly clientOf: (table: string) => Sender
  readonly aheadMilliseconds: number
  readonly maxPast: number
  readonly maxFuture: number
  readonly oldCapacity: { readonly read: number; readonly write: number } | undefined
  readonly cacheMilliseconds: number
  readonly lateMilliseconds: number
  readonly clock: Clock
  readonly random: Random
}

const KNOWN = [
  'table',
  'partitionKey',
  'sortKey',
  'time',
  'period',
  'catalog',
  'create',
  'definition',
  'onTable',
  'clientOf',
  'createAhead',
  'maxPast',
  'maxFuture',
  'oldCapacity',
  'cacheTtl',
  'lateRequests',
  'clock',
  'random',
] as const satisfies readonly (keyof RotationOptions)[]

const MAX_PERIODS = 1_000
const MAX_UNITS = 1_000_000

/** @throws IsothermError `options.unknown` or `options.invalid` */
export function parseRotationOptions(db: Sender, options: RotationOptions): ParsedRotationOptions {
  requireObject('rotation', options, 'an object with table, partitionKey, sortKey and period')
  refuseUnknown('rotation', options, KNOWN)
  const { clientOf, onTable, oldCapacity, clock = new SystemClock({ noticesSuspension: true }) } = options
  const text = (name: 'table' | 'partitionKey' | 'sortKey', what: string) =>
    requireText(`rotation.${name}`, options[name], what)
  const table = text('table', 'the beginning of table names')
  for (const name of ['onTable', 'clientOf'] as const) {
    if (options[name] !== undefined && typeof options[name] !== 'function')
      throw invalidOption(`rotation.${name}`, options[name], 'a function')
  }
  if (oldCapacity !== undefined) {
    refuseUnknown('rotation.oldCapacity', requireObject('rotation.oldCapacity', oldCapacity, 'units'), [
      'read',
      'write',
    ])
    requireInteger('rotation.oldCapacity.read', oldCapacity.read, 1, MAX_UNITS)
    requireInteger('rotation.oldCapacity.write', oldCapacity.write, 1, MAX_UNITS)
  }
  const partitionKey = text('partitionKey', 'the name of the partition key')
  const definition: TableDefinition = requireObject(
    'rotation.definition',
    options.definition ?? {},
    'part of a CreateTable request',
  )
  return {
    table,
    partitionKey,
    partitionKeyType:
      definition.AttributeDefinitions?.find(({ AttributeName }) => AttributeName === partitionKey)
        ?.AttributeType ?? 'S',
    sortKey: text('sortKey', 'the name of the sort key'),
    time: parseTimeFormat(options.time ?? 'iso'),
    calendar: parsePeriod(options.period),
    catalog: requireText('rotation.catalog', options.catalog ?? defaultCatalog(table), 'a name'),
    create: requireBoolean('rotation.create', options.create ?? true),
    definition,
    onTable,
    clientOf: clientOf === undefined ? () => db : (name) => toSender('rotation.clientOf', clientOf(name)),
    aheadMilliseconds: parseDuration('rotation.createAhead', options.createAhead ?? '1h'),
    maxPast: requireInteger('rotation.maxPast', options.maxPast ?? 12, 0, MAX_PERIODS),
    maxFuture: requireInteger('rotation.maxFuture', options.maxFuture ?? 1, 0, MAX_PERIODS),
    oldCapacity,
    cacheMilliseconds: parseDuration('rotation.cacheTtl', options.cacheTtl ?? '30s'),
    lateMilliseconds: parseDuration('rotation.lateRequests', options.lateRequests ?? '1m'),
    clock,
    random: options.random ?? new SystemRandom(),
  }
}

/** The default name of the table with the periods. */
export function defaultCatalog(table: string): string {
  return `${table}_periods`
}
