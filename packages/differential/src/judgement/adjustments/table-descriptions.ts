import { isJsonObject, type JsonObject } from '../../json.js'
import type { Adjustment } from '../adjustment.js'

const API = 'https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TableDescription.html'

/** Applies a change to every object inside a response. */
function everywhere(value: unknown, change: (object: JsonObject) => JsonObject): unknown {
  if (Array.isArray(value)) return value.map((member) => everywhere(member, change))
  if (!isJsonObject(value)) return value
  return change(
    Object.fromEntries(Object.entries(value).map(([name, member]) => [name, everywhere(member, change)])),
  )
}

const omit =
  (...names: readonly string[]) =>
  (object: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))

/** Parts of table descriptions. */
export const TABLE_DESCRIPTIONS: readonly Adjustment[] = [
  {
    name: 'table-without-id-and-warmth',
    reason: 'DynamoDB Local returns no TableId and no WarmThroughput.',
    source: API,
    adjust: ({ ours, theirs }) => ({
      ours: everywhere(ours, omit('TableId', 'WarmThroughput')) as JsonObject,
      theirs,
    }),
  },
  {
    name: 'throughput-changed-at-birth',
    reason: 'DynamoDB Local returns when the throughput was last raised and lowered although it never was.',
    source: `${API}; the members are there once the throughput was changed.`,
    adjust: ({ ours, theirs }) => ({
      ours,
      theirs: everywhere(theirs, omit('LastIncreaseDateTime', 'LastDecreaseDateTime')) as JsonObject,
    }),
  },
  {
    name: 'index-without-throughput',
    reason:
      'DynamoDB Local returns no throughput of the global indexes of an on-demand table. The service returns 0.',
    source:
      'https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_GlobalSecondaryIndexDescription.html',
    adjust: ({ ours, theirs }) => ({
      ours: everywhere(ours, (object) =>
        'IndexName' in object &&
        isJsonObject(object.ProvisionedThroughput) &&
        object.ProvisionedThroughput.ReadCapacityUnits === 0
          ? omit('ProvisionedThroughput')(object)
          : object,
      ) as JsonObject,
      theirs,
    }),
  },
  {
    name: 'index-without-decreases',
    reason: 'DynamoDB Local does not return how often the throughput of an index was lowered today.',
    source:
      'https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ProvisionedThroughputDescription.html (NumberOfDecreasesToday)',
    adjust: ({ ours, theirs }) => ({
      ours: everywhere(ours, (object) =>
        'IndexName' in object && isJsonObject(object.ProvisionedThroughput)
          ? { ...object, ProvisionedThroughput: omit('NumberOfDecreasesToday')(object.ProvisionedThroughput) }
          : object,
      ) as JsonObject,
      theirs,
    }),
  },
  {
    name: 'table-ready-at-once',
    reason: 'DynamoDB Local answers ACTIVE where the service answers CREATING, UPDATING or DELETING.',
    source: `${API} (TableStatus)`,
    adjust: ({ ours, theirs }, { operation }) =>
      operation === 'CreateTable' || operation === 'UpdateTable' || operation === 'DeleteTable'
        ? {
            ours: everywhere(ours, omit('TableStatus', 'IndexStatus')) as JsonObject,
            theirs: everywhere(theirs, omit('TableStatus', 'IndexStatus')) as JsonObject,
          }
        : { ours, theirs },
  },
]
