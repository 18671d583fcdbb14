import { BatchGetItemCommand, BatchWriteItemCommand, type WriteRequest } from '@aws-sdk/client-dynamodb'
import fc from 'fast-check'
import { describe, expect, inject, it } from 'vitest'
import { keyOf, SITUATIONS, type StoredItem, sorted, TwinTables } from '../../test/twin-tables.js'

const RUNS = inject('trials') === 'many' ? 20 : 8

const IDS = 12

const stored = fc.record({
  id: fc.integer({ min: 0, max: IDS - 1 }),
  place: fc.nat(10),
  isMarked: fc.boolean(),
})
const write = fc.record({
  kind: fc.constant('write' as const),
  members: fc.uniqueArray(
    fc.record({ id: fc.nat(IDS - 1), isPut: fc.boolean(), version: fc.nat(9), isElsewhere: fc.nat(3) }),
    { minLength: 1, maxLength: 8, selector: ({ id }) => id },
  ),
})
const read = fc.record({
  kind: fc.constant('read' as const),
  ids: fc.uniqueArray(fc.nat(IDS - 1), { minLength: 1, maxLength: IDS }),
  consistent: fc.boolean(),
  projection: fc.constantFrom(undefined, 'version', 'order_id, version', '#c, note.absent', 'note'),
})
const moves = fc.array(fc.record({ id: fc.nat(IDS - 1), before: fc.nat(30) }), { maxLength: 10 })
const story = fc.record({
  moves,
  items: fc.uniqueArray(stored, { maxLength: IDS, selector: ({ id }) => id }),
  requests: fc.array(fc.oneof(write, read), { minLength: 1, maxLength: 8 }),
})

const itemOf = (id: number, version: number): StoredItem => ({
  ...keyOf(id),
  version: { N: String(version) },
  note: { M: { text: { S: 'x' } } },
})

/** The request for one of the twins, together with an unsharded table. */
function writeOf(
  table: string,
  members: readonly { id: number; request: WriteRequest; isElsewhere: number }[],
) {
  const here = members.filter(({ isElsewhere }) => isElsewhere > 0).map(({ request }) => request)
  const elsewhere = members.filter(({ isElsewhere }) => isElsewhere === 0).map(({ request }) => request)
  return new BatchWriteItemCommand({
    RequestItems: {
      ...(here.length === 0 ? {} : { [table]: here }),
      ...(elsewhere.length === 0 ? {} : { other: elsewhere }),
    },
  })
}

describe.each(SITUATIONS.map((situation) => [situation.name, situation] as const))(
  'batches on %s',
  (_name, situation) => {
    it('have the same results as those of an unsharded table, and leave the same items', async () => {
      await fc.assert(
        fc.asyncProperty(story, async ({ items, requests, moves }) => {
          const twins = new TwinTables(situation)
          let sent = 0
          if (situation.state?.phase !== 'announced') {
            twins.beforeRequest = async () => {
              sent += 1
              for (const { id } of moves.filter(({ before }) => before === sent)) await twins.stepMove(id)
            }
          }
          const known = new Set<number>()
          await twins.run(async () => {
            for (const { id, ...whereabouts } of items) {
              await twins.seed(itemOf(id, 0), whereabouts)
              known.add(id)
            }
            for (const request of requests) {
              if (request.kind === 'write') {
                const members = request.members.map(({ id, isPut, version, isElsewhere }) => {
                  // With a random suffix, each primary key is put once.
                  const isPutNow = isPut && !(situation.suffix === 'random' && known.has(id))
                  if (isElsewhere > 0 && isPutNow) known.add(id)
                  if (isElsewhere > 0 && !isPutNow) known.delete(id)
                  const written: WriteRequest = isPutNow
                    ? { PutRequest: { Item: itemOf(id, version) } }
                    : { DeleteRequest: { Key: keyOf(id) } }
                  return { id, request: written, isElsewhere }
                })
                const answer = await twins.db.send(writeOf('sharded', members))
                await twins.plain.send(writeOf('plain', members))
                expect(answer.UnprocessedItems).toEqual({})
              } else {
                const { ids, consistent, projection } = request
                const wanted = {
                  Keys: ids.map(keyOf),
                  ConsistentRead: consistent,
                  ...(projection === undefined ? {} : { ProjectionExpression: projection }),
                  ...(projection?.includes('#c') ? { ExpressionAttributeNames: { '#c': 'customer' } } : {}),
                }
                const others = { other: { Keys: ids.slice(0, 3).map(keyOf) } }
                const asked = (table: string) => ({ RequestItems: { [table]: wanted, ...others } })
                const answer = await twins.db.send(new BatchGetItemCommand(asked('sharded')))
                const model = await twins.plain.send(new BatchGetItemCommand(asked('plain')))
                expect(answer.UnprocessedKeys).toEqual({})
                expect(sorted(answer.Responses?.sharded ?? [])).toEqual(sorted(model.Responses?.plain ?? []))
                expect(sorted(answer.Responses?.other ?? [])).toEqual(sorted(model.Responses?.other ?? []))
              }
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
