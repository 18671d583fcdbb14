import { expect } from 'vitest'
import { ENVELOPE, FactBench, KEY, nested, values } from './fact-bench.js'
import type { ServiceFactGroup } from './service-fact.js'

const NESTED =
  'Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit'
const TOO_LARGE = 'Item size to update has exceeded the maximum allowed size'
const text = (length: number) => ({ S: 'x'.repeat(length) })
const update = (UpdateExpression: string, given: Record<string, object> = {}, more: object = {}) => ({
  TableName: 'ttt',
  Key: { pk: { S: 'k' } },
  UpdateExpression,
  ...(Object.keys(given).length > 0 ? values(given) : {}),
  ...more,
})

export const LIMITS: ServiceFactGroup = {
  subject: 'Limits',
  file: 'limits',
  facts: [
    {
      id: 'F040',
      fact: 'A value has at most 31 lists and maps inside one another.',
      source: 'tests/tier3/limits/nestingDepth.test.ts',
      show() {
        const bench = new FactBench()
        const put = (levels: number) => ({ TableName: 'ttt', Item: { ...KEY, v: nested(levels) } })
        bench.ask('PutItem', put(31))
        expect(bench.refusal('PutItem', put(32))).toBe(`${ENVELOPE}${NESTED}`)
        const { Item } = put(32)
        expect(bench.refusal('BatchWriteItem', { RequestItems: { ttt: [{ PutRequest: { Item } }] } })).toBe(
          NESTED,
        )
        expect(bench.refusal('TransactWriteItems', { TransactItems: [{ Put: put(32) }] })).toBe(NESTED)
      },
    },
    {
      id: 'F041',
      fact: 'A value of an expression that is too deep is refused before the condition is evaluated.',
      source: 'tests/tier3/limits/nestingDepth.test.ts (22 of 33 regions)',
      show() {
        const request = update(
          'SET v = :v',
          { v: nested(32) },
          { ConditionExpression: 'attribute_exists(pk)' },
        )
        expect(new FactBench().refusal('UpdateItem', request)).toBe(`${ENVELOPE}${NESTED}`)
      },
    },
    {
      id: 'F042',
      fact: 'TransactWriteItems refuses values that are too deep as a whole, and cancels an update that nests too deep.',
      source: 'tests/tier3/limits/nestingDepth.test.ts (three regions by October 2026)',
      async show() {
        const bench = new FactBench()
        const written = update('SET v = :v', { v: nested(32) })
        expect(bench.refusal('TransactWriteItems', { TransactItems: [{ Update: written }] })).toBe(NESTED)
        const check = {
          TableName: 'ttt',
          Key: KEY,
          ConditionExpression: 'v = :v',
          ...values({ v: nested(32) }),
        }
        expect(bench.refusal('TransactWriteItems', { TransactItems: [{ ConditionCheck: check }] })).toBe(
          NESTED,
        )
        bench.ask('UpdateItem', update('SET v = :v', { v: { M: { a: nested(10) } } }))
        const deeper = update('SET v.a.a = :v', { v: nested(30) })
        expect(bench.refusal('UpdateItem', deeper)).toBe(NESTED)
        const cancelled = bench.failure('TransactWriteItems', { TransactItems: [{ Update: deeper }] })
        expect(cancelled.name).toBe('TransactionCanceledException')
        expect(cancelled.members.CancellationReasons).toEqual([{ Code: 'ValidationError', Message: NESTED }])
        const conditional = update(
          'SET w = :w',
          { v: nested(32), w: { S: 'x' } },
          { ConditionExpression: 'v = :v' },
        )
        expect(bench.refusal('TransactWriteItems', { TransactItems: [{ Update: conditional }] })).toBe(NESTED)
      },
    },
    {
      id: 'F043',
      fact: 'TransactWriteItems refuses a put of more than 400 KB as a whole.',
      source: 'tests/tier3/limits/itemSizeBySurface.test.ts',
      show() {
        const Put = { TableName: 'ttt', Item: { ...KEY, v: text(409_600) } }
        expect(new FactBench().refusal('TransactWriteItems', { TransactItems: [{ Put }] })).toBe(
          'Item size has exceeded the maximum allowed size',
        )
      },
    },
    {
      id: 'F044',
      fact: 'An update by expression is refused when its item or its statement is larger than 400 KB.',
      source: 'tests/tier3/limits/itemSizeBySurface.test.ts (22 of 33 regions)',
      show() {
        const bench = new FactBench()
        const isAccepted = (request: object) => {
          try {
            bench.ask('UpdateItem', request)
            return true
          } catch (error) {
            expect((error as Error).message).toBe(TOO_LARGE)
            return false
          }
        }
        // The statement: 3 + 19 + 1 and the value.
        expect(isAccepted(update('SET b = :v', { v: text(409_577) }))).toBe(true)
        expect(isAccepted(update('SET b = :v', { v: text(409_578) }))).toBe(false)
        const counting = (length: number) =>
          update('SET b = :v, n = if_not_exists(n, :one) + :one', { v: text(length), one: { N: '1' } })
        // 3, then 19 + 1 and the value, then 19 + 1 + 34 + 39 + (1 + 14 + 1) + 2 + 2.
        expect(isAccepted(counting(409_600 - 3 - 20 - 113))).toBe(true)
        expect(isAccepted(counting(409_600 - 3 - 20 - 112))).toBe(false)
        // A value used twice is charged twice, and removed members are free.
        const twice = update('SET b = :v, c = if_not_exists(c, :v)', { v: text(210_000) })
        expect(isAccepted(twice)).toBe(false)
        expect(isAccepted(update('DELETE s :v', { v: { SS: ['x'.repeat(409_599)] } }))).toBe(true)
        expect(isAccepted(update('ADD s :v', { v: { SS: ['x'.repeat(409_599)] } }))).toBe(false)
        const appended = (length: number) =>
          update('SET l = list_append(if_not_exists(l, :none), :v)', {
            none: { L: [] },
            v: { L: [text(length)] },
          })
        bench.ask('DeleteItem', { TableName: 'ttt', Key: { pk: { S: 'k' } } })
        // 3 + 19 + 1 + 37 + (39 + 16 + 3) + 3 + 1.
        expect(isAccepted(appended(409_600 - 122))).toBe(true)
        expect(isAccepted(appended(409_600 - 121))).toBe(false)
      },
    },
    {
      id: 'F045',
      fact: 'The size of the statement is checked before its condition, and counts what is not written.',
      source: 'tests/tier3/limits/itemSizeBySurface.test.ts (22 of 33 regions)',
      show() {
        const bench = new FactBench()
        bench.ask('UpdateItem', update('SET c = :v', { v: { S: 'present' } }))
        const huge = { huge: text(409_700) }
        for (const more of [
          {},
          { ConditionExpression: 'attribute_exists(pk)' },
          { ConditionExpression: 'attribute_not_exists(pk)' },
        ]) {
          expect(bench.refusal('UpdateItem', update('SET c = if_not_exists(c, :huge)', huge, more))).toBe(
            TOO_LARGE,
          )
        }
      },
    },
    {
      id: 'F046',
      fact: 'AttributeUpdates and PartiQL are held to the size of the item alone. A transaction with too large a statement is refused as a whole.',
      source: 'tests/tier3/limits/itemSizeBySurface.test.ts (transactions: three regions by October 2026)',
      show() {
        const bench = new FactBench()
        const value = text(409_590)
        bench.ask('UpdateItem', {
          TableName: 'ttt',
          Key: { pk: { S: 'k' } },
          AttributeUpdates: { b: { Value: value } },
        })
        bench.ask('ExecuteStatement', {
          Statement: `UPDATE "ttt" SET b = ? WHERE pk = 'k'`,
          Parameters: [value],
        })
        const Update = update('SET b = :v', { v: value })
        expect(bench.refusal('TransactWriteItems', { TransactItems: [{ Update }] })).toBe(TOO_LARGE)
        const larger = text(409_600)
        const legacy = {
          TableName: 'ttt',
          Key: { pk: { S: 'k' } },
          AttributeUpdates: { b: { Value: larger } },
        }
        expect(bench.refusal('UpdateItem', legacy)).toContain('Item size')
        const Statement = `UPDATE "ttt" SET b = ? WHERE pk = 'k'`
        expect(bench.refusal('ExecuteStatement', { Statement, Parameters: [larger] })).toContain('Item size')
      },
    },
  ],
}
