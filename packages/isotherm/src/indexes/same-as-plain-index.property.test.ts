import {
  BatchWriteItemCommand,
  DeleteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  UpdateItemCommand,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb'
import fc from 'fast-check'
import { describe, expect, inject, it } from 'vitest'
import { INDEXED_DESIGNS, type IndexedDesign, IndexedTwins } from '../../test/indexed-twins.js'
import type { StoredItem } from '../../test/sharded-engine.js'

const RUNS = inject('trials') === 'many' ? 60 : 15

type Status = 'open' | 'closed' | 'open_1' | undefined

interface Member {
  readonly kind: 'put' | 'update' | 'delete'
  readonly id: number
  readonly status: Status
  readonly at: number | undefined
  readonly update: number
  readonly condition: number
  readonly returns: 'ALL_OLD' | 'ALL_NEW' | 'UPDATED_OLD' | 'UPDATED_NEW'
}

interface Step {
  readonly how: 'singly' | 'batch' | 'transaction'
  readonly members: readonly Member[]
  /** Changes the count of a value before the step, up or down. Only with dynamic counts. */
  readonly count: { readonly status: string; readonly shards: number }
}

/** The changes of the status in updates. The last ones change something else. */
const UPDATES = [
  'SET #status = :status',
  'SET #status = if_not_exists(#status, :status)',
  'REMOVE #status SET n = :at',
  'SET #at = :at, #status = :status REMOVE n',
  'SET #at = :at',
  'ADD n :at',
  undefined,
] as const
const CONDITIONS = [
  undefined,
  undefined,
  undefined,
  '#status = :status',
  'attribute_not_exists(#status)',
  'attribute_exists(folder)',
]

const status = fc.constantFrom<Status>('open', 'open', 'closed', 'open_1', undefined)
const member: fc.Arbitrary<Member> = fc.record({
  kind: fc.constantFrom('put', 'put', 'update', 'update', 'delete'),
  id: fc.integer({ min: 0, max: 5 }),
  status,
  // Few values, so that many items have the same.
  at: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined, freq: 8 }),
  update: fc.nat(UPDATES.length - 1),
  condition: fc.nat(CONDITIONS.length - 1),
  returns: fc.constantFrom('ALL_OLD', 'ALL_NEW', 'UPDATED_OLD', 'UPDATED_NEW'),
})
const step: fc.Arbitrary<Step> = fc.record({
  how: fc.constantFrom('singly', 'batch', 'transaction'),
  count: fc.record({
    status: fc.constantFrom('open', 'closed', 'open_1'),
    shards: fc.integer({ min: 1, max: 6 }),
  }),
  members: fc.uniqueArray(member, { minLength: 1, maxLength: 5, selector: ({ id }) => id }),
})

function keyOf(id: number): StoredItem {
  return { folder: { S: id % 2 === 0 ? 'a' : 'b_2' }, file: { N: String(id) } }
}

function itemOf({ id, status, at }: Member): StoredItem {
  return {
    ...keyOf(id),
    n: { N: '1' },
    ...(status === undefined ? {} : { status: { S: status } }),
    ...(at === undefined ? {} : { at: { N: String(at) } }),
  }
}

/** The expressions with the placeholders they use. */
function texts(expressions: object, { status = 'open', at = 0 }: Member) {
  const used = Object.values(expressions).join(' ')
  const only = <Value>(all: Record<string, Value>) => {
    const members = Object.entries(all).filter(([placeholder]) => used.includes(placeholder))
    return members.length === 0 ? undefined : Object.fromEntries(members)
  }
  const names = only({ '#status': 'status', '#at': 'at' })
  const values = only({ ':status': { S: status }, ':at': { N: String(at) } })
  return {
    ...expressions,
    ...(names === undefined ? {} : { ExpressionAttributeNames: names }),
    ...(values === undefined ? {} : { ExpressionAttributeValues: values }),
  }
}

function conditionOf({ condition }: Member, isRequired: boolean) {
  // A put without a condition is an append when the suffix is random. This condition is always true.
  const text = CONDITIONS[condition] ?? (isRequired ? 'attribute_not_exists(never)' : undefined)
  return text === undefined ? {} : { ConditionExpression: text }
}

function updateOf({ update }: Member, isRequired: boolean) {
  const text = UPDATES[update] ?? (isRequired ? UPDATES[0] : undefined)
  return text === undefined ? {} : { UpdateExpression: text }
}

function transactMember(TableName: string, given: Member): TransactWriteItem {
  const { kind, id } = given
  const condition = conditionOf(given, true)
  const ReturnValuesOnConditionCheckFailure = 'ALL_OLD'
  if (kind === 'put') {
    const put = { TableName, Item: itemOf(given), ReturnValuesOnConditionCheckFailure } as const
    return { Put: { ...put, ...texts(condition, given) } }
  }
  const action = { TableName, Key: keyOf(id), ReturnValuesOnConditionCheckFailure } as const
  if (kind === 'delete') return { Delete: { ...action, ...texts(condition, given) } }
  const update = texts({ ...condition, ...updateOf(given, true) }, given) as { UpdateExpression: string }
  return { Update: { ...action, ...update } }
}

/** Sends the step's members to a table, and returns what the application sees. */
async function sent(client: DynamoDBClient, TableName: string, { how, members }: Step): Promise<unknown> {
  if (how === 'transaction') {
    const TransactItems = members.map((each) => transactMember(TableName, each))
    return seen(client.send(new TransactWriteItemsCommand({ TransactItems })))
  }
  if (how === 'batch') {
    const requests = members.map(
      (each): WriteRequest =>
        each.kind === 'delete'
          ? { DeleteRequest: { Key: keyOf(each.id) } }
          : { PutRequest: { Item: itemOf(each) } },
    )
    return seen(client.send(new BatchWriteItemCommand({ RequestItems: { [TableName]: requests } })))
  }
  const answers: unknown[] = []
  for (const each of members) {
    const { kind, id, returns } = each
    const failed = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const
    if (kind === 'put') {
      const put = { TableName, Item: itemOf(each), ReturnValues: 'ALL_OLD', ...failed } as const
      answers.push(
        await seen(client.send(new PutItemCommand({ ...put, ...texts(conditionOf(each, true), each) }))),
      )
      continue
    }
    const Key = keyOf(id)
    if (kind === 'delete') {
      const deletion = { TableName, Key, ReturnValues: 'ALL_OLD', ...failed } as const
      answers.push(
        await seen(
          client.send(new DeleteItemCommand({ ...deletion, ...texts(conditionOf(each, false), each) })),
        ),
      )
      continue
    }
    const expressions = texts({ ...conditionOf(each, false), ...updateOf(each, false) }, each)
    const update = { TableName, Key, ReturnValues: returns, ...failed, ...expressions }
    answers.push(await seen(client.send(new UpdateItemCommand(update))))
  }
  return answers
}

async function seen(answer: Promise<object>): Promise<unknown> {
  try {
    const { $metadata, ...shown } = (await answer) as { readonly $metadata: object }
    return shown
  } catch (error) {
    const { name, message, Item, CancellationReasons } = error as Error & {
      Item?: object
      CancellationReasons?: object
    }
    return { name, message, Item, CancellationReasons }
  }
}

const byKey = (a: StoredItem, b: StoredItem) => Number(a.file?.N) - Number(b.file?.N)

/** Items with one sort key have no particular order. */
function ties(items: readonly StoredItem[]): readonly (readonly StoredItem[])[] {
  const groups: StoredItem[][] = []
  for (const item of items) {
    const last = groups.at(-1)
    if (last !== undefined && last[0]?.at?.N === item.at?.N) last.push(item)
    else groups.push([item])
  }
  return groups.map((group) => group.sort(byKey))
}

/** With a random suffix, items are written only once, or with a condition. */
function allowed(design: IndexedDesign, steps: readonly Step[]): readonly Step[] {
  return design.suffix === 'random' ? steps.filter(({ how }) => how !== 'batch') : steps
}

describe('the queries of a sharded index have the same results as those of a plain one', () => {
  for (const design of INDEXED_DESIGNS) {
    it(`with ${design.name}`, async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { minLength: 4, maxLength: 14 }),
          fc.integer({ min: 1, max: 4 }),
          fc.boolean(),
          fc.constantFrom('', ' AND #at >= :at', ' AND #at BETWEEN :at AND :at'),
          async (steps, limit, forward, range) => {
            const twins = new IndexedTwins(design)
            const { db, plain } = twins
            await twins.run(async () => {
              for (const each of allowed(design, steps)) {
                await twins.setShards(each.count.status, each.count.shards)
                const expected = await sent(plain, 'plain', each)
                expect({ each, answer: await sent(db, 'files', each) }).toEqual({ each, answer: expected })
              }
              const stored = await twins.scan(db, 'files')
              expect([...stored].sort(byKey)).toEqual([...(await twins.scan(plain, 'plain'))].sort(byKey))
              for (const value of ['open', 'closed', 'open_1']) {
                const asked = {
                  KeyConditionExpression: `#status = :status${range}`,
                  ExpressionAttributeNames: { '#status': 'status', ...(range === '' ? {} : { '#at': 'at' }) },
                  ExpressionAttributeValues: {
                    ':status': { S: value },
                    ...(range === '' ? {} : { ':at': { N: '1' } }),
                  },
                  Limit: limit,
                  ScanIndexForward: forward,
                }
                const expected = await twins.query(plain, 'plain', asked)
                expect(ties(await twins.query(db, 'files', asked))).toEqual(ties(expected))
              }
            })
          },
        ),
        { numRuns: RUNS },
      )
    }, 120_000)
  }
})
