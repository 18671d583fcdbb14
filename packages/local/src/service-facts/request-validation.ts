import { expect } from 'vitest'
import { ENVELOPE, FactBench, KEY, nested, values } from './fact-bench.js'
import type { ServiceFactGroup } from './service-fact.js'

const AT_LEAST_1 = 'failed to satisfy constraint: Member must have length greater than or equal to 1'
const RETURN_VALUES =
  'Failed to satisfy constraint: Member must satisfy enum value set: [ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATE_NEW, NONE]'
const OPERATOR = 'Failed to satisfy constraint: Member must satisfy enum value set: [ALL, OR]'
const CAPACITY =
  "Value 'X' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum value set: [INDEXES, TOTAL, NONE]"
const NAME_RULES =
  '[Member must have length less than or equal to 255, Member must have length greater than or equal to 3, Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+]'
const JAVA_VALUE =
  'AttributeValue(s=x, n=null, b=null, iNT=null, dECIMAL=null, dOUBLE=null, sS=null, nS=null, bS=null, iNTSET=null, dECIMALSET=null, dOUBLESET=null, m=null, l=null, nULL=null, bOOL=null)'
const JAVA_PUT = `WriteRequest(putRequest=PutRequest(item={pk=${JAVA_VALUE}}, workloadProfileName=null), deleteRequest=null)`

const put = (more: object = {}) => ({ TableName: 'ttt', Item: KEY, ...more })
const change = (more: object = {}) => ({ TableName: 'ttt', Key: KEY, ...more })
const PUT_X = { PutRequest: { Item: { pk: { S: 'x' } } } }
const expected = { ConditionalOperator: 'XOR', Expected: { a: { Exists: false }, b: { Exists: false } } }

export const REQUEST_VALIDATION: ServiceFactGroup = {
  subject: 'Validation of requests',
  file: 'request-validation',
  facts: [
    {
      id: 'F001',
      fact: 'PutItem, UpdateItem and DeleteItem count the errors that need no table; other operations, and errors that need the table, do not.',
      source: 'tests/tier3/error-messages/{putItem,updateItem,deleteItem,valueLayers}.test.ts',
      show() {
        const bench = new FactBench()
        const wrapped = [
          ...[
            { NULL: false },
            { SS: [] },
            { NS: ['1', '1'] },
            { N: 'x' },
            { S: 'a', N: '1' },
            nested(32),
          ].flatMap((value) => bench.writeRefusals(value)),
          ...['', 'pk', '((pk = :v))', 'pk = :none', 'attribute_type(pk, :v)', 'attribute_exists(pk)'].map(
            (ConditionExpression) =>
              bench.refusal('PutItem', put({ ConditionExpression, ...values({ v: { S: 'zz' } }) })),
          ),
          bench.refusal('PutItem', put({ ExpressionAttributeNames: { '#a': 'a' } })),
          bench.refusal('PutItem', put({ ConditionExpression: 'pk = :v', ExpressionAttributeValues: {} })),
          bench.refusal('PutItem', put({ ReturnValues: 'ALL_NEW' })),
          bench.refusal('DeleteItem', change({ Expected: { a: {} } })),
          bench.refusal('DeleteItem', change({ Expected: {}, ConditionalOperator: 'AND' })),
          bench.refusal(
            'PutItem',
            put({ Expected: { a: { Exists: false } }, ConditionExpression: 'attribute_exists(pk)' }),
          ),
          bench.refusal('UpdateItem', change({ UpdateExpression: 'SET' })),
        ]
        for (const message of wrapped) expect(message.startsWith(ENVELOPE), message).toBe(true)
        const bare = [
          bench.refusal(
            'UpdateItem',
            change({ UpdateExpression: 'SET pk = :v', ...values({ v: { S: 'x' } }) }),
          ),
          bench.refusal('UpdateItem', { TableName: 'ttt', Key: { other: { S: 'x' } } }),
          bench.refusal('PutItem', put({ Item: { pk: { S: '' } } })),
          bench.refusal('PutItem', put({ Item: { pk: { N: '1' } } })),
          bench.refusal('PutItem', { TableName: 'iii', Item: { ...KEY, k: { N: '1' } } }),
          bench.refusal('GetItem', { TableName: 'ttt', Key: { pk: { N: 'x' } } }),
          bench.refusal('BatchGetItem', { RequestItems: { ttt: { Keys: [{ pk: { N: 'x' } }] } } }),
          bench.refusal('BatchWriteItem', {
            RequestItems: { ttt: [{ PutRequest: { Item: { pk: { SS: [] } } } }] },
          }),
          bench.refusal('Query', {
            TableName: 'ttt',
            KeyConditionExpression: 'pk = :v',
            ...values({ v: { SS: [] } }),
          }),
          bench.refusal('Scan', { TableName: 'ttt', FilterExpression: '' }),
          bench.refusal('TransactWriteItems', { TransactItems: [{ Put: put({ ConditionExpression: '' }) }] }),
          bench.refusal('TransactGetItems', {
            TransactItems: [{ Get: change({ ProjectionExpression: '' }) }],
          }),
        ]
        for (const message of bare) expect(message).not.toContain(ENVELOPE)
      },
    },
    {
      id: 'F002',
      fact: 'PutItem and DeleteItem with values but no expression do not name the missing expression.',
      source: 'tests/tier3/error-messages/{putItem,deleteItem}.test.ts',
      show() {
        const bench = new FactBench()
        const message = `${ENVELOPE}ExpressionAttributeValues can only be specified when using expressions`
        const given = values({ v: { S: 'x' } })
        expect(bench.refusal('PutItem', put(given))).toBe(message)
        expect(bench.refusal('DeleteItem', change(given))).toBe(message)
      },
    },
    {
      id: 'F003',
      fact: 'Query counts the error of SPECIFIC_ATTRIBUTES without a projection.',
      source: 'tests/tier3/error-messages/query.test.ts',
      show() {
        const query = { KeyConditionExpression: 'pk = :v', ...values({ v: { S: 'x' } }) }
        expect(
          new FactBench().refusal('Query', { TableName: 'ttt', Select: 'SPECIFIC_ATTRIBUTES', ...query }),
        ).toBe(
          `${ENVELOPE}Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES`,
        )
      },
    },
    {
      id: 'F004',
      fact: 'An empty table name of PutItem, UpdateItem and DeleteItem is reported alone.',
      source: 'tests/tier3/validation-ordering/{putItem,updateItem}.test.ts',
      show() {
        const bench = new FactBench()
        const message = `${ENVELOPE}Value at 'TableName' ${AT_LEAST_1}`
        const bad = { TableName: '', ReturnValues: 'X', ReturnConsumedCapacity: 'X' }
        expect(bench.refusal('PutItem', { ...bad, Item: {} })).toBe(message)
        expect(bench.refusal('UpdateItem', { ...bad, Key: {} })).toBe(message)
        expect(bench.refusal('DeleteItem', { ...bad, Key: {} })).toBe(message)
      },
    },
    {
      id: 'F005',
      fact: 'If the key is missing too, UpdateItem lists all errors in older words.',
      source: 'tests/tier3/validation-ordering/updateItem.test.ts',
      show() {
        const bench = new FactBench()
        const name = `Value '' at 'tableName' ${AT_LEAST_1}`
        const key = "Value null at 'key' failed to satisfy constraint: Member must not be null"
        expect(bench.refusal('UpdateItem', { TableName: '' })).toBe(
          `2 validation errors detected: ${name}; ${key}`,
        )
        const four = bench.refusal('UpdateItem', {
          TableName: '',
          ReturnConsumedCapacity: 'X',
          ReturnValues: 'X',
        })
        expect(four).toMatch(
          /^4 validation errors detected: Value 'X' at 'returnConsumedCapacity' .*; Value '' at 'tableName' .*; Value 'X' at 'returnValues' .*; Value null at 'key' /,
        )
      },
    },
    {
      id: 'F006',
      fact: 'An unknown ReturnValues has a text without its value, which spells one name wrongly.',
      source: 'tests/tier3/error-messages/putItem.test.ts',
      show() {
        const bench = new FactBench()
        expect(bench.refusal('PutItem', put({ ReturnValues: 'X' }))).toBe(`${ENVELOPE}${RETURN_VALUES}`)
        expect(bench.refusal('UpdateItem', change({ ReturnValues: 'X' }))).toBe(`${ENVELOPE}${RETURN_VALUES}`)
      },
    },
    {
      id: 'F007',
      fact: 'UpdateItem reports an unknown ReturnValues alone.',
      source: 'tests/tier3/validation-ordering/updateItem.test.ts',
      show() {
        expect(
          new FactBench().refusal('UpdateItem', change({ ReturnValues: 'X', ReturnConsumedCapacity: 'X' })),
        ).toBe(`${ENVELOPE}${RETURN_VALUES}`)
      },
    },
    {
      id: 'F008',
      fact: 'PutItem and DeleteItem list unknown values in this order: ReturnConsumedCapacity, ReturnValues, ReturnItemCollectionMetrics.',
      source: 'tests/tier3/validation-ordering/putItem.test.ts',
      show() {
        const bench = new FactBench()
        const two = { ReturnValues: 'X', ReturnConsumedCapacity: 'X' }
        expect(bench.refusal('DeleteItem', change(two))).toBe(
          `2 validation errors detected: ${CAPACITY}; ${RETURN_VALUES}`,
        )
        expect(bench.refusal('PutItem', put({ ReturnItemCollectionMetrics: 'X', ...two }))).toBe(
          `3 validation errors detected: ${CAPACITY}; ${RETURN_VALUES}; Value 'X' at 'returnItemCollectionMetrics' failed to satisfy constraint: Member must satisfy enum value set: [SIZE, NONE]`,
        )
      },
    },
    {
      id: 'F009',
      fact: 'An unknown ConditionalOperator of a write has a text that spells one name wrongly, unless values are very deep.',
      source: 'tests/tier3/validation-ordering/deepRequests.test.ts',
      show() {
        const bench = new FactBench()
        expect(bench.refusal('PutItem', put(expected))).toBe(`${ENVELOPE}${OPERATOR}`)
        expect(bench.refusal('UpdateItem', change(expected))).toBe(`${ENVELOPE}${OPERATOR}`)
        const older = `${ENVELOPE}Value 'XOR' at 'conditionalOperator' failed to satisfy constraint: Member must satisfy enum value set: [OR, AND]`
        for (const [levels, text] of [
          [61, `${ENVELOPE}${OPERATOR}`],
          [63, older],
        ] as const) {
          const Item = { ...KEY, d: nested(levels) }
          expect(bench.refusal('PutItem', put({ ...expected, Item }))).toBe(text)
          const deep = { ...expected, Expected: { d: { Value: nested(levels) } } }
          for (const operation of ['UpdateItem', 'DeleteItem'])
            expect(bench.refusal(operation, change(deep))).toBe(text)
        }
      },
    },
    {
      id: 'J002',
      fact: 'With very deep values, the older component checks ReturnValues before their depth, in its own words.',
      source: 'tests/tier3/validation-ordering/deepRequests.test.ts',
      show() {
        const bench = new FactBench()
        const deep = (levels: number) => ({
          ConditionExpression: 'd = :d',
          ...values({ d: nested(levels) }),
        })
        const older = `${ENVELOPE}Value 'X' at 'returnValues' failed to satisfy constraint: Member must satisfy enum value set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]`
        for (const [levels, text] of [
          [40, `${ENVELOPE}${RETURN_VALUES}`],
          [63, older],
        ] as const) {
          const unknown = { ReturnValues: 'X', ...deep(levels) }
          expect(bench.refusal('DeleteItem', change(unknown))).toBe(text)
          expect(bench.refusal('PutItem', put(unknown))).toBe(text)
          expect(bench.refusal('UpdateItem', change(unknown))).toBe(text)
        }
        const key = { TableName: 'ttt', Key: { pk: nested(100) }, ReturnValues: 'X' }
        expect(bench.refusal('DeleteItem', key)).toBe(older)
        expect(bench.refusal('DeleteItem', change({ ReturnValues: 'UPDATED_NEW', ...deep(100) }))).toBe(
          'ReturnValues can only be ALL_OLD or NONE',
        )
      },
    },
    {
      id: 'J003',
      fact: 'TransactWriteItems reports a ClientRequestToken that is too long alone.',
      source: 'tests/tier3/validation-ordering/transactions.test.ts (one region of two, October 2026)',
      show() {
        expect(
          new FactBench().refusal('TransactWriteItems', {
            TransactItems: [{ Put: { TableName: 'ttt', Item: KEY } }],
            ClientRequestToken: 'x'.repeat(37),
            ReturnConsumedCapacity: 'X',
          }),
        ).toBe(
          `${ENVELOPE}Value at 'ClientRequestToken' failed to satisfy constraint: Member must have length less than or equal to 36`,
        )
      },
    },
    {
      id: 'F010',
      fact: 'Query reports an unknown ConditionalOperator alone and without a count.',
      source: 'tests/tier3/validation-ordering/query.test.ts',
      show() {
        const query = { TableName: 'ttt', ConditionalOperator: 'XOR', Select: 'X' }
        expect(new FactBench().refusal('Query', query)).toBe(OPERATOR)
      },
    },
    {
      id: 'F011',
      fact: 'BatchGetItem without any table names RequestItems as the request spells it.',
      source: 'tests/tier3/error-messages/batchGetItem.test.ts',
      show() {
        expect(new FactBench().refusal('BatchGetItem', { RequestItems: {} })).toBe(
          `${ENVELOPE}Value at 'RequestItems' ${AT_LEAST_1}`,
        )
      },
    },
    {
      id: 'F012',
      fact: 'BatchGetItem without a key for a table names the table.',
      source: 'tests/tier3/error-messages/batchGetItem.test.ts',
      show() {
        expect(new FactBench().refusal('BatchGetItem', { RequestItems: { ttt: { Keys: [] } } })).toBe(
          `${ENVELOPE}Value at 'RequestItems.ttt.member.Keys' ${AT_LEAST_1}`,
        )
      },
    },
    {
      id: 'F013',
      fact: 'BatchGetItem prints all requests as JSON when a table name is invalid.',
      source: 'tests/tier3/error-messages/batchGetItem.test.ts',
      show() {
        expect(
          new FactBench().refusal('BatchGetItem', {
            RequestItems: { 'bad!name': { Keys: [{ pk: { S: 'a' } }] } },
          }),
        ).toBe(
          `${ENVELOPE}Value '{"bad!name":{"Keys":[{"pk":{"S":"a"}}]}}' at 'requestItems' failed to satisfy constraint: Map keys must satisfy constraint: ${NAME_RULES}`,
        )
      },
    },
    {
      id: 'F014',
      fact: 'BatchWriteItem prints all requests as Java objects when a table name is invalid.',
      source: 'tests/tier3/error-messages/batchWriteItem.test.ts (seven regions print a hash)',
      show() {
        expect(new FactBench().refusal('BatchWriteItem', { RequestItems: { 'bad!name': [PUT_X] } })).toBe(
          `${ENVELOPE}Value '{bad!name=[${JAVA_PUT}]}' at 'requestItems' failed to satisfy constraint: Map keys must satisfy constraint: ${NAME_RULES}`,
        )
      },
    },
    {
      id: 'F015',
      fact: 'BatchWriteItem prints all requests when there are more than 25.',
      source: 'tests/tier3/error-messages/batchWriteItem.test.ts (eu-north-1 has a newer text)',
      show() {
        const RequestItems = { ttt: Array.from({ length: 26 }, () => PUT_X) }
        expect(new FactBench().refusal('BatchWriteItem', { RequestItems })).toBe(
          `${ENVELOPE}Value '{ttt=[${RequestItems.ttt.map(() => JAVA_PUT).join(', ')}]}' at 'requestItems' failed to satisfy constraint: Map value must satisfy constraint: [Member must have length less than or equal to 25, Member must have length greater than or equal to 1]`,
        )
      },
    },
    {
      id: 'F016',
      fact: 'BatchWriteItem prints an empty list of writes.',
      source: 'tests/tier3/error-messages/batchWriteItem.test.ts',
      show() {
        expect(new FactBench().refusal('BatchWriteItem', { RequestItems: { ttt: [] } })).toMatch(
          /^1 validation error detected: Value '\{ttt=\[\]\}' at 'requestItems' failed to satisfy constraint: Map value must satisfy constraint: /,
        )
      },
    },
    {
      id: 'F017',
      fact: 'BatchWriteItem reports an unknown ReturnConsumedCapacity before an invalid table name.',
      source: 'tests/tier3/error-messages/batchWriteItem.test.ts',
      show() {
        const request = { RequestItems: { 'bad!name': [PUT_X] }, ReturnConsumedCapacity: 'X' }
        expect(new FactBench().refusal('BatchWriteItem', request)).toBe(`${ENVELOPE}${CAPACITY}`)
      },
    },
    {
      id: 'F018',
      fact: 'BatchWriteItem without any table names RequestItems as the request spells it.',
      source: 'tests/tier3/error-messages/batchWriteItem.test.ts (regions move from an older text)',
      show() {
        expect(new FactBench().refusal('BatchWriteItem', { RequestItems: {} })).toBe(
          `${ENVELOPE}Value at 'RequestItems' ${AT_LEAST_1}`,
        )
      },
    },
    {
      id: 'F019',
      fact: 'CreateTable without a name reports only that.',
      source: 'tests/tier3/error-messages/createTable.test.ts',
      show() {
        expect(new FactBench().refusal('CreateTable', {})).toBe(
          "The parameter 'TableName' is required but was not present in the request",
        )
      },
    },
    {
      id: 'F020',
      fact: 'CreateTable refuses one attribute as both key elements.',
      source: 'tests/tier3/error-messages/createTable.test.ts',
      show() {
        expect(new FactBench().refusal('CreateTable', withKey(['pk', 'HASH'], ['pk', 'RANGE']))).toBe(
          'Invalid KeySchema: Some index key attribute have no definition',
        )
      },
    },
    {
      id: 'F021',
      fact: 'CreateTable prints a key of three elements as Java objects.',
      source: 'tests/tier3/error-messages/createTable.test.ts (some regions print a hash)',
      show() {
        const three = withKey(['pk', 'HASH'], ['sk', 'RANGE'], ['x', 'RANGE'])
        expect(new FactBench().refusal('CreateTable', three)).toBe(
          `${ENVELOPE}Value '[KeySchemaElement(attributeName=pk, keyType=HASH), KeySchemaElement(attributeName=sk, keyType=RANGE), KeySchemaElement(attributeName=x, keyType=RANGE)]' at 'keySchema' failed to satisfy constraint: Member must have length less than or equal to 2`,
        )
      },
    },
    {
      id: 'F022',
      fact: 'CreateTable refuses a view type for a stream that is disabled.',
      source: 'tests/tier3/error-messages/createTable.test.ts',
      show() {
        const StreamSpecification = { StreamEnabled: false, StreamViewType: 'KEYS_ONLY' }
        expect(
          new FactBench().refusal('CreateTable', { ...withKey(['pk', 'HASH']), StreamSpecification }),
        ).toBe(
          'One or more parameter values were invalid: Table is being created with a stream disabled, UpdateViewType should not be specified',
        )
      },
    },
  ],
}

function withKey(...key: readonly (readonly [string, 'HASH' | 'RANGE'])[]): object {
  return {
    TableName: 'new',
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: key.map(([AttributeName, KeyType]) => ({ AttributeName, KeyType })),
    AttributeDefinitions: [...new Set(key.map(([name]) => name))].map((AttributeName) => ({
      AttributeName,
      AttributeType: 'S',
    })),
  }
}
