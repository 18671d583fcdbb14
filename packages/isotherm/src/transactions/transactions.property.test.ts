import {
  TransactGetItemsCommand,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb'
import fc from 'fast-check'
import { describe, expect, inject, it } from 'vitest'
import { CUSTOMER, keyOf, SITUATIONS, type StoredItem, TwinTables } from '../../test/twin-tables.js'

const RUNS = inject('trials') === 'many' ? 20 : 8

const IDS = 6

const CONDITIONS = [
  undefined,
  'attribute_exists(customer)',
  'attribute_not_exists(customer)',
  'attribute_not_exists(customer) OR version = :version',
  'version = :version',
  'customer = :customer AND attribute_exists(version)',
] as const

const stored = fc.record({ id: fc.nat(IDS - 1), place: fc.nat(10), isMarked: fc.boolean() })
const member = fc.record({
  id: fc.nat(IDS - 1),
  kind: fc.constantFrom('Put', 'Update', 'Delete', 'ConditionCheck'),
  condition: fc.constantFrom(...CONDITIONS),
  version: fc.nat(2),
  showsOld: fc.boolean(),
  isElsewhere: fc.nat(5).map((number) => number === 0),
})
const moves = fc.array(fc.record({ id: fc.nat(IDS - 1), before: fc.nat(30) }), { maxLength: 10 })
const story = fc.record({
  moves,
  items: fc.uniqueArray(stored, { minLength: IDS / 2, maxLength: IDS, selector: ({ id }) => id }),
  transactions: fc.array(
    fc.oneof(
      {
        weight: 5,
        arbitrary: fc.uniqueArray(member, { minLength: 1, maxLength: 4, selector: ({ id }) => id }),
      },
      { weight: 1, arbitrary: fc.array(member, { minLength: 2, maxLength: 3 }) },
    ),
    { minLength: 1, maxLength: 6 },
  ),
})

type Member = typeof member extends fc.Arbitrary<infer Value> ? Value : never

const itemOf = (id: number, version: number): StoredItem => ({
  ...keyOf(id),
  version: { N: String(version) },
})

function actionOf(
  table: string,
  { id, kind, condition, version, showsOld, isElsewhere }: Member,
): TransactWriteItem {
  // A put without a condition is an append when the suffix is random. This condition is always true.
  const text = condition ?? 'attribute_not_exists(never)'
  const values = {
    ...(text.includes(':version') ? { ':version': { N: String(version) } } : {}),
    ...(text.includes(':customer') ? { ':customer': CUSTOMER } : {}),
    ...(kind === 'Update' ? { ':one': { N: '1' }, ':none': { N: '0' } } : {}),
  }
  const action = {
    TableName: isElsewhere ? 'other' : table,
    ConditionExpression: text,
    ...(Object.keys(values).length === 0 ? {} : { ExpressionAttributeValues: values }),
    ...(showsOld ? { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const } : {}),
  }
  if (kind === 'Put') return { Put: { ...action, Item: itemOf(id, version) } }
  if (kind === 'Delete') return { Delete: { ...action, Key: keyOf(id) } }
  if (kind === 'ConditionCheck') return { ConditionCheck: { ...action, Key: keyOf(id) } }
  const UpdateExpression = 'SET version = if_not_exists(version, :none) + :one'
  return { Update: { ...action, Key: keyOf(id), UpdateExpression } }
}

/** The result for the caller, without measurements. */
async function told(answer: Promise<object>): Promise<unknown> {
  try {
    await answer
    return 'written'
  } catch (error) {
    const { name, message, CancellationReasons } = error as Error & { CancellationReasons?: unknown }
    return { name, message, CancellationReasons }
  }
}

describe.each(SITUATIONS.map((situation) => [situation.name, situation] as const))(
  'transactions on %s',
  (_name, situation) => {
    it('have the same results as those of an unsharded table, and leave the same items', async () => {
      await fc.assert(
        fc.asyncProperty(story, async ({ items, transactions, moves }) => {
          const twins = new TwinTables(situation)
          let requests = 0
          if (situation.state?.phase !== 'announced') {
            twins.beforeRequest = async () => {
              requests += 1
              for (const { id } of moves.filter(({ before }) => before === requests)) await twins.stepMove(id)
            }
          }
          await twins.run(async () => {
            for (const { id, ...whereabouts } of items) await twins.seed(itemOf(id, 0), whereabouts)
            for (const members of transactions) {
              const command = (table: string) =>
                new TransactWriteItemsCommand({ TransactItems: members.map((each) => actionOf(table, each)) })
              // The second of the two writes the elsewhere table once more, in the same state.
              const before = await twins.elsewhere()
              const answer = await told(twins.db.send(command('sharded')))
              const after = await twins.elsewhere()
              await twins.resetElsewhere(before)
              expect(answer).toEqual(await told(twins.plain.send(command('plain'))))
              expect(await twins.elsewhere()).toEqual(after)
              const keys = [0, 1, 2, 3, 4, 5].map(keyOf)
              const gets = (table: string) =>
                new TransactGetItemsCommand({
                  TransactItems: keys.map((Key, id) => ({
                    Get: {
                      TableName: table,
                      Key,
                      ...(id % 2 === 0 ? {} : { ProjectionExpression: 'version' }),
                    },
                  })),
                })
              const read = await twins.db.send(gets('sharded'))
              expect(read.Responses).toEqual((await twins.plain.send(gets('plain'))).Responses)
            }
            const { sharded, plain } = await twins.contents()
            expect(sharded).toEqual(plain)
          })
        }),
        { numRuns: RUNS },
      )
    }, 60_000)
  },
)
