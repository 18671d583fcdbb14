import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { beforeAll, describe, expect, it } from 'vitest'
import { readInSteps } from '../wire/aws-json.js'
import { printInSteps } from '../wire/json-text.js'
import { EngineFixture } from './engine.fixture.js'

const MAX_TRIES = 8
const COPIES = 5

/**
 * Test machines differ in speed, and are busy. So processor time is measured, and compared with that of a copy of an object
 * with 120,000 names, which takes 20 to 70 ms. The aim for a turn is 50 ms. More is allowed here, because the time of the threads that
 * collect garbage counts, too. Requests that held the event loop took 20 to 1,000 copies.
 */
const COPY_MEMBERS = 120_000
const MAX_COPIES = 6

const KEY = { pk: { S: 'p' } }
const ADVERSE = `${'a'.repeat(97_000)}b${'a'.repeat(97_000)}`
const MEMBERS = Array.from({ length: 90_000 }, (_, index) => index.toString(36).padStart(4, '0'))
const OTHER_MEMBERS = [...MEMBERS.slice(0, -1), 'zzzz']

const condition = (ConditionExpression: string, values: object) => ({
  TableName: 'worst',
  Key: KEY,
  UpdateExpression: 'SET z = :one',
  ConditionExpression,
  ExpressionAttributeValues: { ':one': { N: '1' }, ...values },
})
const many = <T>(count: number, each: (number: number) => T) =>
  Array.from({ length: count }, (_, at) => each(at))
const put = (value: object) => ({ TableName: 'worst', Item: { pk: { S: 'q' }, v: value } })

/** As many writes as a batch may have. */
const batch = (value: () => object) => ({
  RequestItems: {
    worst: many(25, (n) => ({ PutRequest: { Item: { pk: { S: `q${n}` }, v: value() } } })),
  },
})

const update = (change: object) => ({ TableName: 'worst', Key: KEY, ...change })
const EQUALS_X = { ComparisonOperator: 'EQ', AttributeValueList: [{ S: 'x' }] }

const fields = (count: number, each: (number: number) => readonly [string, unknown]) =>
  Object.fromEntries(many(count, each))

/**
 * Requests within the limits that have held the event loop, for up to 40 seconds. Each is made when its turn comes: all of them
 * together would make every collection of garbage long, which counts as time of the measured turn.
 */
const WORST: readonly (readonly [name: string, operation: string, input: () => object])[] = [
  [
    'a long search in a long text',
    'UpdateItem',
    () => condition('contains(a, :n)', { ':n': { S: ADVERSE } }),
  ],
  [
    'the same search a hundred times',
    'UpdateItem',
    () => condition(Array(100).fill('contains(a, :n)').join(' OR '), { ':n': { S: ADVERSE } }),
  ],
  [
    'a long search in long bytes',
    'UpdateItem',
    () => condition('contains(b, :n)', { ':n': { B: Buffer.from(ADVERSE) } }),
  ],
  [
    'a hundred references to a large set',
    'UpdateItem',
    () => condition(`s IN (${Array(100).fill(':s').join(', ')})`, { ':s': { SS: OTHER_MEMBERS } }),
  ],
  [
    'many comparisons of two large sets',
    'UpdateItem',
    () => condition(Array(150).fill('s = :s').join(' OR '), { ':s': { SS: OTHER_MEMBERS } }),
  ],
  ['a large set in the wrong order', 'PutItem', () => put({ SS: MEMBERS.toReversed() })],
  [
    'a large set of long numbers in the wrong order',
    'PutItem',
    () =>
      put({
        NS: Array.from({ length: 15_000 }, (_, index) => `1234567890123456789${(index * 7919) % 15_013}`),
      }),
  ],
  [
    'a set of a million members',
    'PutItem',
    () => put({ SS: Array.from({ length: 1_000_000 }, (_, i) => `${i}`) }),
  ],
  [
    'a list of a million members',
    'PutItem',
    () => put({ L: Array.from({ length: 1_000_000 }, () => ({ NULL: true })) }),
  ],
  [
    'a valid batch with a million members in lists',
    'BatchWriteItem',
    () => batch(() => ({ L: many(44_000, () => ({ NULL: true })) })),
  ],
  [
    'a valid batch with a million members in sets',
    'BatchWriteItem',
    () => batch(() => ({ SS: many(60_000, (n) => n.toString(36)) })),
  ],
  [
    'a valid batch with 700,000 members in maps',
    'BatchWriteItem',
    () => batch(() => ({ M: Object.fromEntries(many(28_000, (n) => [n.toString(36), { NULL: true }])) })),
  ],
  [
    'a batch of 200,000 writes',
    'BatchWriteItem',
    () => ({
      RequestItems: { worst: many(200_000, (n) => ({ PutRequest: { Item: { pk: { S: `${n}` } } } })) },
    }),
  ],
  [
    'a batch of 400,000 keys',
    'BatchGetItem',
    () => ({ RequestItems: { worst: { Keys: many(400_000, (n) => ({ pk: { S: `${n}` } })) } } }),
  ],
  [
    'a transaction of 150,000 writes',
    'TransactWriteItems',
    () => ({
      TransactItems: many(150_000, (n) => ({ Put: { TableName: 'worst', Item: { pk: { S: `${n}` } } } })),
    }),
  ],
  [
    'a batch of 200,000 statements',
    'BatchExecuteStatement',
    () => ({ Statements: many(200_000, (n) => ({ Statement: `SELECT * FROM worst WHERE pk = '${n}'` })) }),
  ],
  [
    '300,000 tags',
    'TagResource',
    () => ({
      ResourceArn: 'arn:aws:dynamodb:us-east-1:000000000000:table/worst',
      Tags: many(300_000, (n) => ({ Key: `${n}`, Value: 'v' })),
    }),
  ],
  [
    '200,000 attribute definitions',
    'CreateTable',
    () => ({
      TableName: 'other',
      AttributeDefinitions: many(200_000, (n) => ({ AttributeName: `a${n}`, AttributeType: 'S' })),
      KeySchema: [{ AttributeName: 'a1', KeyType: 'HASH' }],
    }),
  ],
  [
    'changes of 80,000 indexes',
    'UpdateTable',
    () => ({
      TableName: 'worst',
      GlobalSecondaryIndexUpdates: many(80_000, (n) => ({ Delete: { IndexName: `abc${n}` } })),
    }),
  ],
  [
    'a million attributes to get',
    'GetItem',
    () => ({ TableName: 'worst', Key: KEY, AttributesToGet: many(1_000_000, (n) => `a${n}`) }),
  ],
  [
    'a key of 110,000 attributes',
    'GetItem',
    () => ({ TableName: 'worst', Key: fields(110_000, (n) => [`a${n}`, { S: 'x' }]) }),
  ],
  [
    'a start key of 110,000 attributes',
    'Scan',
    () => ({ TableName: 'worst', ExclusiveStartKey: fields(110_000, (n) => [`a${n}`, { S: 'x' }]) }),
  ],
  [
    'a key schema of 300,000 elements',
    'CreateTable',
    () => ({
      TableName: 'other',
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      KeySchema: many(300_000, (n) => ({ AttributeName: `a${n}`, KeyType: 'HASH' })),
    }),
  ],
  [
    'an item of 80,000 attributes',
    'PutItem',
    () => ({
      TableName: 'worst',
      Item: { pk: { S: 'q' }, ...fields(80_000, (n) => [n.toString(36), { NULL: true }]) },
    }),
  ],
  [
    'a set of 100,000 binary values',
    'PutItem',
    () => put({ BS: many(100_000, (n) => Buffer.from(n.toString(36)).toString('base64')) }),
  ],
  [
    'a transaction with a million members in lists',
    'TransactWriteItems',
    () => ({
      TransactItems: many(100, (n) => ({
        Put: {
          TableName: 'worst',
          Item: { pk: { S: `t${n}` }, v: { L: many(11_000, () => ({ NULL: true })) } },
        },
      })),
    }),
  ],
  [
    'the same with a token, as SDKs send it',
    'TransactWriteItems',
    () => ({
      ClientRequestToken: 'a-token',
      TransactItems: many(100, (n) => ({
        Put: {
          TableName: 'worst',
          Item: { pk: { S: `t${n}` }, v: { L: many(11_000, () => ({ NULL: true })) } },
        },
      })),
    }),
  ],
  [
    'an unknown member with three million members',
    'PutItem',
    () => ({ ...put({ N: '1' }), More: many(3_000_000, () => 0) }),
  ],
  [
    '600,000 attributes',
    'PutItem',
    () => put({ M: Object.fromEntries(many(600_000, (n) => [`a${n}`, { NULL: true }])) }),
  ],
  [
    'half a million placeholders',
    'UpdateItem',
    () => condition('a = :a1', Object.fromEntries(many(500_000, (n) => [`:a${n}`, { NULL: true }]))),
  ],
  ['a text of 16 MB', 'PutItem', () => put({ S: 'x'.repeat(16_000_000) })],
  ['a text of nothing but escaped quotes', 'PutItem', () => put({ S: '"'.repeat(8_000_000) })],
  [
    '120,000 changes of attributes',
    'UpdateItem',
    () => update({ AttributeUpdates: fields(120_000, (n) => [`a${n}`, { Action: 'DELETE' }]) }),
  ],
  [
    'the most changes of attributes',
    'UpdateItem',
    () => update({ AttributeUpdates: fields(10_000, (n) => [`a${n}`, { Action: 'DELETE' }]) }),
  ],
  [
    '100,000 expectations',
    'DeleteItem',
    () => ({ TableName: 'worst', Key: KEY, Expected: fields(100_000, (n) => [`a${n}`, { Exists: true }]) }),
  ],
  [
    'the most expectations',
    'DeleteItem',
    () => ({
      TableName: 'worst',
      Key: KEY,
      ConditionalOperator: 'OR',
      Expected: fields(10_000, (n) => [`a${n}`, EQUALS_X]),
    }),
  ],
  [
    'an expectation of 400,000 values',
    'DeleteItem',
    () => ({
      TableName: 'worst',
      Key: KEY,
      Expected: { a: { ComparisonOperator: 'IN', AttributeValueList: many(400_000, () => ({ S: 'x' })) } },
    }),
  ],
  [
    '100,000 conditions of a filter',
    'Scan',
    () => ({
      TableName: 'worst',
      ScanFilter: fields(100_000, (n) => [`a${n}`, { ComparisonOperator: 'NULL' }]),
    }),
  ],
  [
    'the most conditions of a filter, over a page of small items',
    'Scan',
    () => ({
      TableName: 'small',
      ConditionalOperator: 'OR',
      ScanFilter: fields(10_000, (n) => [`a${n}`, EQUALS_X]),
    }),
  ],
  [
    '100,000 conditions of a query',
    'Query',
    () => ({
      TableName: 'worst',
      KeyConditions: { pk: EQUALS_X },
      QueryFilter: fields(100_000, (n) => [`a${n}`, EQUALS_X]),
    }),
  ],
  [
    '100,000 conditions of a key',
    'Query',
    () => ({ TableName: 'worst', KeyConditions: fields(100_000, (n) => [`a${n}`, EQUALS_X]) }),
  ],
  [
    '120,000 placeholders for values',
    'UpdateItem',
    () =>
      update({
        UpdateExpression: 'SET a = :a2',
        ExpressionAttributeValues: fields(120_000, (n) => [`:a${n}`, { N: '1' }]),
      }),
  ],
  [
    '120,000 placeholders for names',
    'UpdateItem',
    () =>
      update({
        UpdateExpression: 'REMOVE #a2',
        ExpressionAttributeNames: fields(120_000, (n) => [`#a${n}`, `a${n}`]),
      }),
  ],
  [
    'a batch of reads from 100,000 tables',
    'BatchGetItem',
    () => ({ RequestItems: fields(100_000, (n) => [`bad!${n}`, { Keys: [] }]) }),
  ],
  [
    'a batch of writes to 100,000 tables',
    'BatchWriteItem',
    () => ({ RequestItems: fields(100_000, (n) => [`table${n}`, [{ DeleteRequest: { Key: KEY } }]]) }),
  ],
  [
    'the removal of 300 elements of one list',
    'UpdateItem',
    () => update({ UpdateExpression: `REMOVE ${many(300, (n) => `v[${n * 3}]`).join(', ')}` }),
  ],
  [
    'ninety lists of a large list and itself',
    'UpdateItem',
    () => update({ UpdateExpression: `SET ${many(90, (n) => `n${n} = list_append(v, v)`).join(', ')}` }),
  ],
  [
    'three hundred copies of a large list',
    'UpdateItem',
    () => update({ UpdateExpression: `SET ${many(300, (n) => `a${n} = v`).join(', ')}` }),
  ],
  [
    'three hundred copies of a large set',
    'UpdateItem',
    () => update({ UpdateExpression: `SET ${many(300, (n) => `a${n} = s`).join(', ')}` }),
  ],
  [
    'a search for one list in a large list, 150 times',
    'UpdateItem',
    () =>
      condition(Array(150).fill('contains(v, :n)').join(' OR '), {
        ':n': { L: many(80_000, () => ({ NULL: true })) },
      }),
  ],
  [
    'a search for many values in a large list',
    'UpdateItem',
    () =>
      condition(
        many(150, (n) => `contains(v, :${n})`).join(' OR '),
        fields(150, (n) => [`:${n}`, { BOOL: n > 200 }]),
      ),
  ],
  ...['L', 'BS'].map(
    (type) =>
      [
        `a search for many values of type ${type} in a large list`,
        'UpdateItem',
        () =>
          condition(
            many(150, (n) => `contains(v, :${n})`).join(' OR '),
            fields(150, (n) => [
              `:${n}`,
              type === 'L' ? { L: [{ N: `${n}` }] } : { BS: [Buffer.from(`${n}`).toString('base64')] },
            ]),
          ),
      ] as const,
  ),
  [
    'a transaction of updates with 900,000 members in their values',
    'TransactWriteItems',
    () => ({
      TransactItems: many(22, (n) => ({
        Update: {
          TableName: 'worst',
          Key: { pk: { S: `u${n}` } },
          UpdateExpression: 'SET v = :v',
          ExpressionAttributeValues: { ':v': { L: many(41_000, () => ({ NULL: true })) } },
        },
      })),
    }),
  ],
  [
    'a batch of statements with a million members in their parameters',
    'BatchExecuteStatement',
    () => ({
      Statements: many(25, (n) => ({
        Statement: `INSERT INTO worst VALUE {'pk': 'q${n}', 'v': ?}`,
        Parameters: [{ L: many(40_000, () => ({ NULL: true })) }],
      })),
    }),
  ],
]

const MAX_BODY_BYTES = 16 * 1024 * 1024
const filled = (before: string, filling: string, after: string) =>
  `${before}${filling.repeat((MAX_BODY_BYTES - before.length - after.length) / Buffer.byteLength(filling))}${after}`

/** Bodies whose JSON takes long to read, whatever it means. */
const WORST_BODIES: readonly (readonly [name: string, body: () => string])[] = [
  ['a text of escaped quotes', () => filled('{"TableName":"', '\\"', '"}')],
  ['a text of escaped code units', () => filled('{"TableName":"', '\\u20ac', '"}')],
  ['a text of wide characters', () => filled('{"TableName":"', '€', '"}')],
  ['a text without an end', () => filled('{"TableName":"', '\\"', '')],
  ['a text inside 900 lists', () => filled('['.repeat(900), '\\"', ']'.repeat(900))],
  ['a name of escaped quotes', () => filled('{"', '\\"', '":1}')],
  ['a number of 16 MB', () => filled('{"Limit":', '1', '}')],
  ['a fraction of 16 MB', () => filled('{"Limit":0.', '1', '}')],
  ['white space', () => filled('{"Limit":', ' ', '1}')],
  ['white space behind a comma', () => filled('{"Limit":1,', '\n', '"TableName":"worst"}')],
  ['lists of 900 levels', () => `[${`${'['.repeat(900)}${']'.repeat(900)},`.repeat(1000)}1]`],
  ['a million lists', () => `[${'[],'.repeat(1_000_000)}[]]`],
  ['one name again and again', () => filled('{', '"a":1,', '"a":1}')],
]

describe('a large request', () => {
  const fixture = new EngineFixture({ throttle: false, transactionMilliseconds: 0 })
  beforeAll(() => {
    for (const TableName of ['worst', 'small']) {
      fixture.ask('CreateTable', {
        TableName,
        BillingMode: 'PAY_PER_REQUEST',
        KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
        AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      })
    }
    for (let n = 0; n < 1000; n++) {
      fixture.ask('PutItem', { TableName: 'small', Item: { pk: { S: `${n}` } } })
    }
  })

  it.each(WORST)('does not hold the event loop: %s', async (_, operation, inputOf) => {
    const input = inputOf()
    // Each item of the conditions fits the limit of an item by itself.
    const held = operation === 'UpdateItem' ? heldFor(input) : {}
    fixture.ask('PutItem', { TableName: 'worst', Item: { ...KEY, ...held } })
    expect(await copiesIn(fixture, operation, Buffer.from(JSON.stringify(input)))).toBeLessThan(MAX_COPIES)
  })

  it('does not hold the event loop: 23,000 whole items behind a local index', async () => {
    const schema = (range: string) => [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: range, KeyType: 'RANGE' },
    ]
    fixture.ask('CreateTable', {
      TableName: 'collection',
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: schema('sk'),
      AttributeDefinitions: ['pk', 'sk', 'lk'].map((AttributeName) => ({
        AttributeName,
        AttributeType: 'S',
      })),
      LocalSecondaryIndexes: [
        { IndexName: 'by_lk', KeySchema: schema('lk'), Projection: { ProjectionType: 'KEYS_ONLY' } },
      ],
    })
    for (let n = 0; n < 23_000; n++) {
      const [sk, lk] = [n, (n * 7_919) % 23_000].map((number) => ({ S: number.toString(36) }))
      fixture.ask('PutItem', { TableName: 'collection', Item: { ...KEY, sk, lk, x: { S: 'y' } } })
    }
    const page = {
      TableName: 'collection',
      IndexName: 'by_lk',
      KeyConditionExpression: 'pk = :p',
      ExpressionAttributeValues: { ':p': KEY.pk },
      Select: 'ALL_ATTRIBUTES',
    }
    expect((await fixture.ask('Query', page)).Count).toBe(23_000)
    expect(await copiesIn(fixture, 'Query', Buffer.from(JSON.stringify(page)))).toBeLessThan(MAX_COPIES)
  })

  it.each(WORST_BODIES)('does not hold the event loop while it is read: %s', async (_, bodyOf) => {
    expect(await copiesIn(fixture, 'GetItem', Buffer.from(bodyOf()))).toBeLessThan(MAX_COPIES)
  })
})

describe('a large response', () => {
  const item = { pk: { S: 'p' }, v: { L: many(95_000, () => ({ NULL: true })) } }

  it('does not hold the event loop while a hundred items of 400 KB are printed', async () => {
    const response = { Responses: { worst: many(100, () => item) } }
    expect(await inCopies(async () => longestStep(printInSteps(response)))).toBeLessThan(MAX_COPIES)
  })
})

/** The processor time of the longest turn of a request, in copies of a large object. */
function copiesIn(fixture: EngineFixture, operation: string, body: Buffer): Promise<number> {
  return inCopies(() => longestTurn(fixture, operation, body))
}

/**
 * The least of a few tries, because a collection of garbage may fall in any of them. The first that is short enough ends them.
 * Each begins without the garbage of those before, which would bring a collection of all of it into the middle of a large request.
 */
async function inCopies(longest: () => Promise<number>): Promise<number> {
  let turn = Number.POSITIVE_INFINITY
  for (let tried = 0; tried < MAX_TRIES && turn >= MAX_COPIES * copyMilliseconds; tried++) {
    // The machine may have become slower since.
    if (copyMilliseconds === 0 || tried === 2) copyMilliseconds = timeOfCopy()
    collectGarbage()
    turn = Math.min(turn, await longest())
  }
  return turn / copyMilliseconds
}

/** Of the tests before, because measuring it takes half a second. */
let copyMilliseconds = 0

function timeOfCopy(): number {
  const large = fields(COPY_MEMBERS, (n) => [`a${n}`, n])
  return Math.min(...many(COPIES, () => processorMilliseconds(() => copyOf(large))))
}

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

function copyOf(structure: { readonly [name: string]: unknown }): object {
  const copy: { [name: string]: unknown } = {}
  for (const name in structure) copy[name] = structure[name]
  return copy
}

function processorMilliseconds(run: () => unknown): number {
  const before = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** The processor time of the longest turn of the event loop that a request takes. */
async function longestTurn(fixture: EngineFixture, operation: string, body: Buffer): Promise<number> {
  const steps = readInSteps(operation, body)
  let longest = 0
  let isDone = false
  let answer: unknown
  while (!isDone) {
    const turn = processorMilliseconds(() => {
      try {
        const { done, value } = steps.next()
        if (done) answer = fixture.ask(operation, value as object)
        isDone = done === true
      } catch {
        // A refusal must be as fast.
        isDone = true
      }
    })
    longest = Math.max(longest, turn)
  }
  return answer instanceof Promise ? Math.max(longest, await longestTurnUntil(answer)) : longest
}

/** Of the turns that an answer takes which is made in many of them. */
async function longestTurnUntil(answer: Promise<unknown>): Promise<number> {
  let isSettled = false
  const settled = () => {
    isSettled = true
  }
  answer.then(settled, settled)
  let longest = 0
  while (!isSettled) {
    const before = process.cpuUsage()
    await new Promise(setImmediate)
    const { user, system } = process.cpuUsage(before)
    longest = Math.max(longest, (user + system) / 1000)
  }
  return longest
}

function longestStep(steps: Iterator<undefined, unknown>): number {
  let longest = 0
  let isDone = false
  while (!isDone) {
    const step = processorMilliseconds(() => {
      isDone = steps.next().done === true
    })
    longest = Math.max(longest, step)
  }
  return longest
}

/** The attribute that a condition reads. */
function heldFor(input: object): object {
  const text = JSON.stringify(input)
  if (text.includes('contains(a')) return { a: { S: 'a'.repeat(390_000) } }
  if (/\bv\b/.test(text)) return { v: { L: many(95_000, () => ({ BOOL: true })) } }
  if (text.includes('contains(b')) return { b: { B: Buffer.alloc(390_000, 'a') } }
  return { s: { SS: MEMBERS } }
}
