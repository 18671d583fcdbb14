/** An attribute of a key in a form. Without a name there is none. */
export interface KeyField {
  readonly name: string
  readonly type: 'S' | 'N' | 'B'
}

/** A secondary index in a form. */
export interface IndexField {
  readonly name: string
  readonly kind: 'global' | 'local'
  /** That of a local index is the table's. */
  readonly partition: KeyField
  readonly sort: KeyField
  readonly projection: 'ALL' | 'KEYS_ONLY' | 'INCLUDE'
  /** The names of the included attributes, with commas between them. */
  readonly included: string
}

/** A new table, as a form has it. */
export interface TableForm {
  readonly name: string
  readonly partition: KeyField
  readonly sort: KeyField
  readonly billing: 'PAY_PER_REQUEST' | 'PROVISIONED'
  /** Units a second, of the table and of each global index, if it is provisioned. */
  readonly readUnits: number
  readonly writeUnits: number
  readonly indexes: readonly IndexField[]
  /** The attribute of the time to live, or empty. */
  readonly timeToLive: string
  /** What the stream has of a changed item, or empty for no stream. */
  readonly stream: '' | 'KEYS_ONLY' | 'NEW_IMAGE' | 'OLD_IMAGE' | 'NEW_AND_OLD_IMAGES'
  readonly isProtected: boolean
}

const NO_KEY: KeyField = { name: '', type: 'S' }

export const NEW_TABLE: TableForm = {
  name: '',
  partition: NO_KEY,
  sort: NO_KEY,
  billing: 'PAY_PER_REQUEST',
  readUnits: 5,
  writeUnits: 5,
  indexes: [],
  timeToLive: '',
  stream: '',
  isProtected: false,
}

export const NEW_INDEX: IndexField = {
  name: '',
  kind: 'global',
  partition: NO_KEY,
  sort: NO_KEY,
  projection: 'ALL',
  included: '',
}

/** The input of CreateTable. */
export function createTableInput(form: TableForm): object {
  const { name, partition, sort, billing, readUnits, writeUnits, indexes, stream, isProtected } = form
  const throughput =
    billing === 'PROVISIONED'
      ? { ProvisionedThroughput: { ReadCapacityUnits: readUnits, WriteCapacityUnits: writeUnits } }
      : {}
  const all = indexes.map((index) => ({
    ...index,
    partition: index.kind === 'local' ? partition : index.partition,
  }))
  const keys = [partition, sort, ...all.flatMap((index) => [index.partition, index.sort])]
  const of = (kind: IndexField['kind']) =>
    all
      .filter((index) => index.kind === kind)
      .map((index) => ({
        IndexName: index.name,
        KeySchema: keySchema(index.partition, index.sort),
        Projection: projection(index),
        ...(kind === 'global' ? throughput : {}),
      }))
  const [globals, locals] = [of('global'), of('local')]
  return {
    TableName: name,
    AttributeDefinitions: definitions(keys),
    KeySchema: keySchema(partition, sort),
    BillingMode: billing,
    ...throughput,
    ...(globals.length === 0 ? {} : { GlobalSecondaryIndexes: globals }),
    ...(locals.length === 0 ? {} : { LocalSecondaryIndexes: locals }),
    ...(stream === '' ? {} : { StreamSpecification: { StreamEnabled: true, StreamViewType: stream } }),
    ...(isProtected ? { DeletionProtectionEnabled: true } : {}),
  }
}

/** Each attribute once. Two keys may share one. */
function definitions(keys: readonly KeyField[]) {
  const types = new Map(keys.filter(({ name }) => name !== '').map(({ name, type }) => [name, type]))
  return [...types].map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType }))
}

function keySchema(partition: KeyField, sort: KeyField) {
  return [
    { AttributeName: partition.name, KeyType: 'HASH' },
    ...(sort.name === '' ? [] : [{ AttributeName: sort.name, KeyType: 'RANGE' }]),
  ]
}

function projection({ projection: ProjectionType, included }: IndexField) {
  const NonKeyAttributes = included
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  return ProjectionType === 'INCLUDE' ? { ProjectionType, NonKeyAttributes } : { ProjectionType }
}
