import type { Step } from '../../families/family.js'
import { isJsonObject, type JsonObject } from '../../json.js'
import { TABLES } from '../../model/tables.js'
import type { Adjustment, Answers } from '../adjustment.js'
import { sorted } from '../canonical.js'

const PRICES = 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html'

const wanted = ({ request }: Step): boolean =>
  'ReturnConsumedCapacity' in request &&
  (request.ReturnConsumedCapacity === 'TOTAL' || request.ReturnConsumedCapacity === 'INDEXES')

function without(body: JsonObject, member: string): JsonObject {
  const { [member]: _gone, ...rest } = body
  return rest
}

const bare = ({ ours, theirs }: Answers): Answers => ({
  ours: without(ours, 'ConsumedCapacity'),
  theirs: without(theirs, 'ConsumedCapacity'),
})

function units(body: JsonObject): number {
  const capacity = body.ConsumedCapacity
  return isJsonObject(capacity) ? Number(capacity.CapacityUnits) : Number.NaN
}

const found = ({ ScannedCount, Item, Attributes }: JsonObject): boolean =>
  ScannedCount === undefined ? Item !== undefined || Attributes !== undefined : ScannedCount !== 0

const ON_DEMAND_PARTITIONS = 4

const WITH_WIDE_INDEXES: ReadonlySet<string> = new Set(
  TABLES.filter(({ indexes }) => indexes.some(({ range }) => range !== undefined)).map(({ name }) => name),
)

/** Parts of ConsumedCapacity, which DynamoDB Local computes in a simpler way. */
export const CONSUMED_CAPACITY: readonly Adjustment[] = [
  {
    name: 'capacity-of-a-delete-unasked',
    reason:
      'DynamoDB Local returns what a delete of nothing used, requested or not, and never by tables and indexes.',
    source:
      'https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DeleteItem.html (ReturnConsumedCapacity: NONE is the default)',
    adjust: (answers, step) =>
      step.operation === 'DeleteItem' &&
      'ConsumedCapacity' in answers.theirs &&
      (!wanted(step) || units(answers.theirs) === units(answers.ours))
        ? bare(answers)
        : answers,
  },
  {
    name: 'capacity-of-finding-nothing',
    reason: 'DynamoDB Local charges nothing for a read that finds nothing. The service charges the minimum.',
    source: PRICES,
    adjust: (answers) =>
      units(answers.theirs) === 0 && units(answers.ours) > 0 && !found(answers.ours)
        ? bare(answers)
        : answers,
  },
  {
    name: 'capacity-of-fetching',
    reason:
      'DynamoDB Local does not charge a scan of a local index for fetching what the index does not hold, and charges a query that fetches nothing.',
    source: 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/LSI.html',
    adjust: (answers, { request }) =>
      'IndexName' in request &&
      String(request.IndexName).startsWith('beside') &&
      'ConsumedCapacity' in answers.theirs
        ? bare(answers)
        : answers,
  },
  {
    name: 'capacity-of-a-scan',
    reason:
      'A scan is charged the minimum for each of the four partitions of an on-demand table; DynamoDB Local has no partitions.',
    source: 'Measured: https://github.com/scylladb/scylladb (test/alternator/test_returnconsumedcapacity.py)',
    adjust: (answers, { operation }) => {
      const [ours, theirs] = [units(answers.ours), units(answers.theirs)]
      return operation === 'Scan' &&
        (ours === ON_DEMAND_PARTITIONS || ours === ON_DEMAND_PARTITIONS / 2) &&
        theirs <= ours
        ? bare(answers)
        : answers
    },
  },
  {
    name: 'capacity-of-a-batch-of-reads',
    reason:
      'DynamoDB Local sums the sizes of a batch before it rounds, and charges nothing for what is missing. The service rounds for each item.',
    source: PRICES,
    adjust: (answers, { operation }) => (operation === 'BatchGetItem' ? withoutUnits(answers) : answers),
  },
  {
    name: 'capacity-of-a-batch-of-writes',
    reason:
      'DynamoDB Local charges more than the service where a batch deletes what is not there, or puts an item with half of an index key.',
    source: 'https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html: 1 unit.',
    adjust: (answers, step) => (step.operation === 'BatchWriteItem' ? withoutUnits(answers) : answers),
  },
  {
    name: 'capacity-of-half-an-index-key',
    reason:
      'DynamoDB Local charges for an index of two key attributes though the item has but one of them. Such an item is not in the index.',
    source: 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html (sparse indexes)',
    adjust: (answers, { operation, request }) =>
      (operation === 'PutItem' || operation === 'UpdateItem' || operation === 'DeleteItem') &&
      'TableName' in request &&
      WITH_WIDE_INDEXES.has(String(request.TableName)) &&
      units(answers.theirs) > units(answers.ours)
        ? bare(answers)
        : answers,
  },
  {
    name: 'capacity-of-a-transaction',
    reason:
      'DynamoDB Local does not say whether a transaction read or wrote, and charges once for what a transaction deletes or puts into an index. The service charges everything twice.',
    source: 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html',
    adjust: (answers, { operation }) => (operation.startsWith('Transact') ? withoutUnits(answers) : answers),
  },
]

/** The names of the charged tables are still compared. */
function withoutUnits({ ours, theirs }: Answers): Answers {
  return { ours: tablesOnly(ours), theirs: tablesOnly(theirs) }
}

function tablesOnly(body: JsonObject): JsonObject {
  const list = body.ConsumedCapacity
  if (!Array.isArray(list)) return body
  return {
    ...body,
    ConsumedCapacity: sorted(list.map((entry) => (isJsonObject(entry) ? entry.TableName : entry))),
  }
}
