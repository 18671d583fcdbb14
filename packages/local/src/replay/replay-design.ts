import { LocalError } from '../errors/local-error.js'
import { isObject, type JsonObject, listIn, objectIn } from './members-of.js'

/** The changes to the tables of a trace for its replay. */
export interface ReplayDesign {
  /** The billing mode of all tables. */
  readonly billingMode?: 'PROVISIONED' | 'PAY_PER_REQUEST'
  /** The throughput of all tables and global indexes, in units per second. It makes them provisioned. */
  readonly throughput?: { readonly readUnits: number; readonly writeUnits: number }
  /** Changes of single tables, by name. They take precedence over those of all tables. */
  readonly tables?: { readonly [table: string]: TableDesign }
}

/** The changes to one table. Members that begin with a capital are those of the API. */
export interface TableDesign {
  readonly BillingMode?: string
  readonly ProvisionedThroughput?: object
  readonly OnDemandThroughput?: object
  readonly WarmThroughput?: object
  /** Definitions of attributes that only added indexes use. */
  readonly AttributeDefinitions?: readonly object[]
  /** Capacity of existing indexes, by name. */
  readonly indexes?: { readonly [index: string]: object }
  /** Global indexes to add, in the form of `GlobalSecondaryIndexes` of CreateTable. */
  readonly addIndexes?: readonly object[]
  /** Names of indexes to remove. */
  readonly removeIndexes?: readonly string[]
  /** Spreads the values of a partition key over this many shards, by a suffix. */
  readonly suffix?: { readonly attribute: string; readonly shards: number }
}

const TABLE_MEMBERS: { readonly [member: string]: (value: unknown) => boolean } = {
  BillingMode: (value) => value === 'PROVISIONED' || value === 'PAY_PER_REQUEST',
  ProvisionedThroughput: isObject,
  OnDemandThroughput: isObject,
  WarmThroughput: isObject,
  AttributeDefinitions: (value) => Array.isArray(value) && value.every(isObject),
  indexes: (value) => isObject(value) && Object.values(value).every(isObject),
  addIndexes: (value) => Array.isArray(value) && value.every(isObject),
  removeIndexes: (value) => Array.isArray(value) && value.every((each) => typeof each === 'string'),
  suffix: (value) => {
    if (!isObject(value)) return false
    const { attribute, shards } = value
    return (
      typeof attribute === 'string' &&
      Number.isInteger(shards) &&
      Number(shards) >= 1 &&
      Number(shards) <= MAX_SHARDS
    )
  },
}

/** The maximum number of shards that the library can read. */
const MAX_SHARDS = 1_000

/**
 * Checks a design from a file: an object of tables by name.
 * @throws LocalError `replay.design`
 */
export function parseTableDesigns(value: unknown): { readonly [table: string]: TableDesign } {
  if (!isObject(value)) throw wrong('A design must be a JSON object of tables by name.')
  for (const [table, design] of Object.entries(value)) {
    if (!isObject(design)) throw wrong(`The design of table ${table} must be a JSON object.`)
    for (const [member, given] of Object.entries(design)) {
      const fits = TABLE_MEMBERS[member]
      if (fits === undefined) {
        const known = Object.keys(TABLE_MEMBERS).join(', ')
        throw wrong(`The design of table ${table} has '${member}'; it may have ${known}.`)
      }
      if (!fits(given))
        throw wrong(`The design of table ${table} has a wrong ${member}: ${JSON.stringify(given)}.`)
    }
  }
  return value as { readonly [table: string]: TableDesign }
}

export function wrong(message: string): LocalError {
  return new LocalError('replay.design', message)
}

/** Whether the design changes a table. */
export function isChanged(design: ReplayDesign, table: string): boolean {
  return (
    design.billingMode !== undefined ||
    design.throughput !== undefined ||
    design.tables?.[table] !== undefined
  )
}

/** Applies the design to a CreateTable request. @throws LocalError `replay.design` */
export function designedTable(request: JsonObject, design: ReplayDesign): JsonObject {
  const own = design.tables?.[String(request.TableName)] ?? {}
  const given = own.ProvisionedThroughput ?? throughputOf(design)
  const mode =
    own.BillingMode ??
    (given === undefined ? undefined : 'PROVISIONED') ??
    design.billingMode ??
    String(request.BillingMode ?? 'PROVISIONED')
  const capacityOf = (before: JsonObject, wanted: JsonObject): JsonObject => {
    const { ProvisionedThroughput, OnDemandThroughput, WarmThroughput, ...rest } = { ...before, ...wanted }
    const warm = WarmThroughput === undefined ? {} : { WarmThroughput }
    if (mode !== 'PROVISIONED') {
      return { ...rest, ...(OnDemandThroughput === undefined ? {} : { OnDemandThroughput }), ...warm }
    }
    if (ProvisionedThroughput === undefined) {
      throw wrong(
        `Table ${String(request.TableName)} and its indexes were on-demand; a provisioned one needs its throughput, as ProvisionedThroughput or --read and --write.`,
      )
    }
    return { ...rest, ProvisionedThroughput, ...warm }
  }
  const forAll = given === undefined ? {} : { ProvisionedThroughput: given }
  const {
    BillingMode: _,
    AttributeDefinitions: __,
    indexes: ___,
    addIndexes,
    removeIndexes,
    suffix,
    ...capacity
  } = own
  const kept = listIn(request, 'GlobalSecondaryIndexes').filter(
    ({ IndexName }) => !removeIndexes?.includes(String(IndexName)),
  )
  const indexes = [
    ...kept.map((index) =>
      capacityOf(index, {
        ...forAll,
        ...objectIn((own.indexes ?? {}) as JsonObject, String(index.IndexName)),
      }),
    ),
    ...(addIndexes ?? []).map((index) => capacityOf({ ...forAll, ...index }, {})),
  ]
  const { GlobalSecondaryIndexes: ____, ...table } = request
  const designed = {
    ...capacityOf(table, { ...forAll, ...capacity }),
    BillingMode: mode,
    ...(indexes.length === 0 ? {} : { GlobalSecondaryIndexes: indexes }),
  }
  return { ...designed, AttributeDefinitions: usedAttributes(request, own, designed) }
}

function throughputOf({ throughput, billingMode }: ReplayDesign): object | undefined {
  if (throughput === undefined || billingMode === 'PAY_PER_REQUEST') return undefined
  return { ReadCapacityUnits: throughput.readUnits, WriteCapacityUnits: throughput.writeUnits }
}

/**
 * Attributes left over from a removed index would be rejected, and so would attributes of an added index without a
 * type.
 */
function usedAttributes(request: JsonObject, own: TableDesign, designed: JsonObject): readonly object[] {
  const keys = [
    designed,
    ...listIn(designed, 'GlobalSecondaryIndexes'),
    ...listIn(designed, 'LocalSecondaryIndexes'),
  ]
  const used = new Set(
    keys.flatMap((each) => listIn(each, 'KeySchema')).map(({ AttributeName }) => AttributeName),
  )
  const before = listIn(request, 'AttributeDefinitions')
  const names = new Set(before.map(({ AttributeName }) => AttributeName))
  const added = (own.AttributeDefinitions ?? [])
    .filter(isObject)
    .filter(({ AttributeName }) => !names.has(AttributeName))
  return [...before, ...added].filter(({ AttributeName }) => used.has(AttributeName))
}
