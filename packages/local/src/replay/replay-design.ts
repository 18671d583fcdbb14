import { LocalError } from '../errors/local-error.js'
import { isObject, type JsonObject, listIn, objectIn } from './members-of.js'

/** What shall be different in a replay. */
export interface ReplayDesign {
  /** Of all tables. */
  readonly billingMode?: 'PROVISIONED' | 'PAY_PER_REQUEST'
  /** Of all tables and global indexes; makes them provisioned. */
  readonly throughput?: { readonly readUnits: number; readonly writeUnits: number }
  /** Of some tables, by name: beside what is said of all, and before it. */
  readonly tables?: { readonly [table: string]: TableDesign }
}

/** What shall be different in one table. Members with a capital are the API's own. */
export interface TableDesign {
  readonly BillingMode?: string
  readonly ProvisionedThroughput?: object
  readonly OnDemandThroughput?: object
  readonly WarmThroughput?: object
  /** Of attributes that only added indexes use. */
  readonly AttributeDefinitions?: readonly object[]
  /** Capacity of indexes that are there, by name. */
  readonly indexes?: { readonly [index: string]: object }
  readonly addIndexes?: readonly object[]
  readonly removeIndexes?: readonly string[]
  /** Spreads the values of a partition key over so many, by a suffix. */
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

/** As many as the library knows how to read back. */
const MAX_SHARDS = 1_000

/**
 * Checks a design that came from a file: an object of tables by name.
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

/** Whether a table is another one than was recorded. */
export function isChanged(design: ReplayDesign, table: string): boolean {
  return (
    design.billingMode !== undefined ||
    design.throughput !== undefined ||
    design.tables?.[table] !== undefined
  )
}

/** A CreateTable request as the design wants the table. @throws LocalError `replay.design` */
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

/** Attributes that a removed index leaves behind would be refused, as would those of an added one without a type. */
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
