import { expect } from 'vitest'
import { ENVELOPE, FactBench, index, KEY, nested, values } from './fact-bench.js'
import type { ServiceFactGroup } from './service-fact.js'

const MISMATCH = 'The provided key element does not match the schema'
const NESTED = 'Nesting Levels have exceeded supported limits'
const EMPTY =
  'One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty'
const UPDATED_EMPTY =
  'One or more parameter values are not valid. The update expression attempted to update a secondary index key to a value that is not supported. The AttributeValue for a key attribute cannot contain an empty'

const transacted = (...TransactItems: object[]) =>
  new FactBench().refusal('TransactWriteItems', { TransactItems })
const queried = (KeyConditionExpression: string, given: Record<string, object>, more: object = {}) =>
  new FactBench().refusal('Query', { TableName: 'sss', KeyConditionExpression, ...values(given), ...more })
const [p, one] = [{ S: 'p' }, { N: '1' }]

export const KEYS_AND_BATCHES: ServiceFactGroup = {
  subject: 'Keys, indexes, batches and transactions',
  file: 'keys-and-batches',
  facts: [
    {
      id: 'F050',
      fact: 'A put of BatchWriteItem without the right key has the text of a key that does not match.',
      source: 'tests/tier3/error-messages/batchWriteItem.test.ts',
      show() {
        for (const Item of [{ pk: { N: '1' } }, { pk: { L: [] } }, { other: p }]) {
          const request = { RequestItems: { ttt: [{ PutRequest: { Item } }] } }
          expect(new FactBench().refusal('BatchWriteItem', request)).toBe(MISMATCH)
        }
      },
    },
    {
      id: 'F051',
      fact: 'TransactWriteItems refuses an empty key of an index as a whole, and cancels for one of the wrong type.',
      source: 'tests/tier3/error-messages/transactWriteItems.test.ts',
      show() {
        const put = (item: object) => ({ Put: { TableName: 'iii', Item: { ...KEY, ...item } } })
        const update = (name: string, value: object) => ({
          Update: {
            TableName: 'iii',
            Key: KEY,
            UpdateExpression: `SET ${name} = :v`,
            ...values({ v: value }),
          },
        })
        expect(transacted(put({ k: { S: '' } }))).toBe(`${EMPTY} string value. IndexName: gsi1, IndexKey: k`)
        expect(transacted(put({ b: { B: '' } }))).toBe(`${EMPTY} binary value. IndexName: bin, IndexKey: b`)
        expect(transacted(update('k', { S: '' }))).toBe(`${UPDATED_EMPTY} string value.`)
        expect(transacted(update('b', { B: '' }))).toBe(`${UPDATED_EMPTY} binary value.`)
        for (const action of [
          put({ k: { N: '1' } }),
          put({ k: { L: [] } }),
          update('k', { N: '1' }),
          update('k', { M: {} }),
        ]) {
          const { name, members } = new FactBench().failure('TransactWriteItems', { TransactItems: [action] })
          expect(name).toBe('TransactionCanceledException')
          expect(members.CancellationReasons).toEqual([expect.objectContaining({ Code: 'ValidationError' })])
        }
      },
    },
    {
      id: 'F052',
      fact: 'TransactWriteItems checks its actions one by one.',
      source: 'tests/tier3/validation-ordering/deepRequests.test.ts',
      show() {
        const deep = { Put: { TableName: 'ttt', Item: { ...KEY, v: nested(40) } } }
        const wrong = { Delete: { TableName: 'ttt', Key: { pk: { S: 'q' } }, ConditionExpression: '((' } }
        expect(transacted(deep, wrong)).toContain(NESTED)
        expect(transacted(wrong, deep)).toContain('Syntax error')
      },
    },
    {
      id: 'F053',
      fact: 'In TransactWriteItems an empty top-level name is reported before a deep value, a deep value before an empty name inside, and the condition of a Delete before its key.',
      source: 'tests/tier3/validation-ordering/deepRequests.test.ts',
      show() {
        const put = (item: object) => ({ Put: { TableName: 'ttt', Item: item } })
        const empty = { '': p }
        const inside = { m: { M: { '': p } } }
        expect(transacted(put({ ...KEY, ...empty, v: nested(100) }))).toBe('Empty attribute name')
        expect(transacted(put({ ...KEY, v: nested(100), ...empty }))).toBe('Empty attribute name')
        expect(transacted(put({ ...KEY, v: nested(40), ...inside }))).toContain(NESTED)
        expect(transacted(put({ ...KEY, ...inside, v: nested(40) }))).toContain(NESTED)
        expect(transacted(put({ ...KEY, ...inside }))).toBe('Empty attribute name')
        const Key = { pk: nested(40) }
        const long = `a = :v${' '.repeat(4_103)}`
        expect(transacted({ Delete: { TableName: 'ttt', Key, ConditionExpression: '((' } })).toContain(
          'Syntax',
        )
        expect(transacted({ Delete: { TableName: 'ttt', Key, ConditionExpression: long } })).toBe(
          'Invalid ConditionExpression: Expression size has exceeded the maximum allowed size; expression size: 4109',
        )
      },
    },
    {
      id: 'F054',
      fact: 'BatchGetItem refuses an expression for one table beside AttributesToGet for another.',
      source: 'tests/tier3/error-messages/batchGetItem.test.ts (the text is not published)',
      show() {
        const RequestItems = {
          ttt: { Keys: [KEY], ProjectionExpression: 'pk' },
          iii: { Keys: [KEY], AttributesToGet: ['pk'] },
        }
        expect(new FactBench().refusal('BatchGetItem', { RequestItems })).toContain('Can not use both')
      },
    },
    {
      id: 'F055',
      fact: 'TransactGetItems returns no item when a projection matches nothing of it; GetItem returns an empty one.',
      source: 'tests/tier2/transactions/transactGet.test.ts',
      show() {
        const bench = new FactBench()
        bench.ask('PutItem', { TableName: 'ttt', Item: KEY })
        const Get = { TableName: 'ttt', Key: KEY, ProjectionExpression: 'nothing' }
        expect(bench.ask('TransactGetItems', { TransactItems: [{ Get }] })).toEqual({ Responses: [{}] })
        expect(bench.ask('GetItem', Get)).toEqual({ Item: {} })
      },
    },
    {
      id: 'F056',
      fact: 'A query of an index with several sort attributes names those that lack an equality.',
      source: 'tests/tier1/query/multiAttributeGsiKey.test.ts',
      show() {
        const text = (lacking: string, on: string) =>
          `RANGE key attributes ${lacking} must have equality conditions specified in the query because a condition is present on key attribute ${on}`
        const many = (condition: string, letters: string) =>
          queried(condition, Object.fromEntries([...letters].map((letter) => [letter, { S: letter }])), {
            TableName: 'iii',
            IndexName: 'many',
          })
        expect(many('h = :h AND r1 = :a AND r3 = :c', 'hac')).toBe(text('r2', 'r3'))
        expect(many('h = :h AND r1 = :a AND r2 > :b AND r3 = :c', 'habc')).toBe(text('r2', 'r3'))
        expect(many('h = :h AND r2 = :b', 'hb')).toBe(text('r1', 'r2'))
      },
    },
    {
      id: 'F057',
      fact: 'Query refuses two conditions on one key attribute.',
      source: 'tests/tier3/error-messages/query.test.ts',
      show() {
        expect(queried('pk = :p AND sk > :n AND sk < :n', { p, n: one })).toBe(
          'Invalid KeyConditionExpression: KeyConditionExpressions must only contain one condition per key',
        )
      },
    },
    {
      id: 'F058',
      fact: 'Query counts conditions and key attributes when there are too many conditions.',
      source: 'tests/tier3/error-messages/query.test.ts',
      show() {
        expect(queried('pk = :p AND sk > :n AND x = :p', { p, n: one })).toBe(
          'The number of query conditions (3) exceeds the number of key attributes defined in the schema (2)',
        )
      },
    },
    {
      id: 'F059',
      fact: 'Query checks the operands of its key condition before it looks up the table.',
      source: 'tests/tier3/validation-ordering/query.test.ts',
      show() {
        expect(queried('pk = :p AND begins_with(sk, :n)', { p, n: one }, { TableName: 'missing' })).toContain(
          'Incorrect operand type',
        )
      },
    },
    {
      id: 'F060',
      fact: 'Query refuses a path into a key attribute.',
      source: 'tests/tier3/error-messages/query.test.ts',
      show() {
        expect(queried('pk = :p AND sk.foo = :n', { p, n: one })).toContain(
          'KeyConditionExpressions cannot have conditions on nested attributes',
        )
      },
    },
    {
      id: 'F061',
      fact: 'UpdateTable needs a definition for each key attribute of a new index, keeps the type of present ones, and drops others.',
      source: 'tests/tier2/updateTable/gsi.test.ts',
      show() {
        const add = (key: string, definitions: Record<string, string>) => ({
          TableName: 'sss',
          AttributeDefinitions: Object.entries(definitions).map(([AttributeName, AttributeType]) => ({
            AttributeName,
            AttributeType,
          })),
          GlobalSecondaryIndexUpdates: [{ Create: index('new', [[key, 'HASH']]) }],
        })
        const bench = new FactBench()
        expect(bench.refusal('UpdateTable', add('sk', { other: 'S' }))).toContain('not defined in Attribute')
        bench.ask('UpdateTable', add('sk', { sk: 'S', unused: 'S' }))
        expect(bench.ask('DescribeTable', { TableName: 'sss' }).Table.AttributeDefinitions).toEqual([
          { AttributeName: 'pk', AttributeType: 'S' },
          { AttributeName: 'sk', AttributeType: 'N' },
        ])
      },
    },
    {
      id: 'F062',
      fact: 'A table with SSESpecification is described with a key of KMS.',
      source: 'tests/tier1/createTable/config.test.ts',
      show() {
        const bench = new FactBench()
        bench.ask('CreateTable', {
          TableName: 'new',
          BillingMode: 'PAY_PER_REQUEST',
          KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
          AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
          SSESpecification: { Enabled: true },
        })
        const { SSEDescription } = bench.ask('DescribeTable', { TableName: 'new' }).Table
        expect(SSEDescription).toMatchObject({ Status: 'ENABLED', SSEType: 'KMS' })
        expect(SSEDescription.KMSMasterKeyArn).toMatch(/^arn:aws:kms:/)
      },
    },
    {
      id: 'F063',
      fact: 'ListTagsOfResource of a table in another account is denied.',
      source: 'tests/tier2/tags/basic.test.ts (the text is not published)',
      show() {
        const ResourceArn = 'arn:aws:dynamodb:eu-central-1:999999999999:table/ttt'
        expect(new FactBench().failure('ListTagsOfResource', { ResourceArn }).name).toBe(
          'AccessDeniedException',
        )
      },
    },
    {
      id: 'F080',
      fact: 'TransactWriteItems and TransactGetItems name bad members as the request spells them.',
      source: 'tests/tier3/error-messages/transactWriteItems.test.ts (three regions by October 2026)',
      show() {
        const at = (member: string) => `${ENVELOPE}Value at '${member}' failed to satisfy constraint: `
        const check = {
          ConditionCheck: { TableName: 'ttt', Key: KEY, ConditionExpression: 'attribute_exists(pk)' },
        }
        expect(transacted()).toBe(`${at('TransactItems')}Member must have length greater than or equal to 1`)
        expect(transacted(...Array.from({ length: 101 }, () => check))).toBe(
          `${at('TransactItems')}Member must have length less than or equal to 100`,
        )
        const get = { Get: { TableName: 'ttt', Key: KEY } }
        for (const [TransactItems, rule] of [
          [[], 'greater than or equal to 1'],
          [Array.from({ length: 101 }, () => get), 'less than or equal to 100'],
        ] as const) {
          expect(new FactBench().refusal('TransactGetItems', { TransactItems })).toBe(
            `${at('TransactItems')}Member must have length ${rule}`,
          )
        }
        expect(
          new FactBench().refusal('TransactWriteItems', {
            TransactItems: [check],
            ClientRequestToken: 'x'.repeat(37),
          }),
        ).toBe(`${at('ClientRequestToken')}Member must have length less than or equal to 36`)
        expect(transacted({})).toBe(
          `${ENVELOPE}Value '' at 'transactItems' failed to satisfy constraint: TransactWriteRequest should contain Delete or Put or Update or ConditionCheck`,
        )
      },
    },
    {
      id: 'F081',
      fact: 'Scan has new texts for its limit, segments, start keys and projections.',
      source: 'tests/tier3/error-messages/scan.test.ts (four regions since September 2026)',
      show() {
        const scanned = (more: object) => new FactBench().refusal('Scan', { TableName: 'ttt', ...more })
        expect(scanned({ Segment: 3, TotalSegments: 3 })).toBe(
          'The Segment parameter is zero-based and must be less than parameter TotalSegments',
        )
        expect(scanned({ Limit: 0 })).toBe(
          `${ENVELOPE}Value at 'Limit' failed to satisfy constraint: Member must have value greater than or equal to 1`,
        )
        expect(scanned({ Segment: -1, TotalSegments: 2 })).toBe(
          `${ENVELOPE}Value at 'Segment' failed to satisfy constraint: Member must have value greater than or equal to 0`,
        )
        expect(scanned({ ExclusiveStartKey: { other: p } })).toBe('The provided starting key is invalid')
        expect(scanned({ Select: 'SPECIFIC_ATTRIBUTES' })).toBe(
          `${ENVELOPE}Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES`,
        )
      },
    },
    {
      id: 'F082',
      fact: 'A NULL of false is refused.',
      source: 'tests/tier3/error-messages/valueLayers.test.ts',
      show() {
        for (const message of new FactBench().writeRefusals({ NULL: false })) {
          expect(message).toContain('Null attribute value types must have the value of true')
        }
      },
    },
    {
      id: 'J001',
      fact: 'An update that only removes creates no item.',
      source: 'https://github.com/scylladb/scylladb (test/alternator/test_update_expression.py)',
      show() {
        const bench = new FactBench()
        const update = (UpdateExpression: string, given?: object) => ({
          TableName: 'ttt',
          Key: KEY,
          UpdateExpression,
          ...(given === undefined ? {} : values({ v: given })),
        })
        bench.ask('UpdateItem', update('REMOVE a, b.c'))
        bench.ask('UpdateItem', update('DELETE a :v', { SS: ['x'] }))
        bench.ask('UpdateItem', { TableName: 'ttt', Key: KEY, AttributeUpdates: { a: { Action: 'DELETE' } } })
        bench.ask('TransactWriteItems', { TransactItems: [{ Update: update('REMOVE a') }] })
        expect(bench.ask('Scan', { TableName: 'ttt' }).Count).toBe(0)
        bench.ask('UpdateItem', { TableName: 'ttt', Key: KEY })
        expect(bench.ask('Scan', { TableName: 'ttt' }).Items).toEqual([KEY])
      },
    },
  ],
}
