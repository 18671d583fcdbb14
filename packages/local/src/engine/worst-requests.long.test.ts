import { beforeAll, describe, expect, it } from 'vitest'
import { parseInPieces } from '../wire/json-pieces.js'
import { EngineFixture } from './engine.fixture.js'

/** The aim is 50 on an idle machine. Test machines are slower, and the compiler has seen these shapes only once. */
const MAX_MILLISECONDS = 250
const TRIES = 3

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

/** Requests within the limits that have taken seconds. */
const WORST: readonly (readonly [name: string, operation: string, input: object])[] = [
  ['a long search in a long text', 'UpdateItem', condition('contains(a, :n)', { ':n': { S: ADVERSE } })],
  [
    'the same search a hundred times',
    'UpdateItem',
    condition(Array(100).fill('contains(a, :n)').join(' OR '), { ':n': { S: ADVERSE } }),
  ],
  [
    'a long search in long bytes',
    'UpdateItem',
    condition('contains(b, :n)', { ':n': { B: Buffer.from(ADVERSE) } }),
  ],
  [
    'a hundred references to a large set',
    'UpdateItem',
    condition(`s IN (${Array(100).fill(':s').join(', ')})`, { ':s': { SS: OTHER_MEMBERS } }),
  ],
  [
    'many comparisons of two large sets',
    'UpdateItem',
    condition(Array(150).fill('s = :s').join(' OR '), { ':s': { SS: OTHER_MEMBERS } }),
  ],
  ['a large set in the wrong order', 'PutItem', put({ SS: MEMBERS.toReversed() })],
  [
    'a large set of long numbers in the wrong order',
    'PutItem',
    put({
      NS: Array.from({ length: 15_000 }, (_, index) => `1234567890123456789${(index * 7919) % 15_013}`),
    }),
  ],
  ['a set of a million members', 'PutItem', put({ SS: Array.from({ length: 1_000_000 }, (_, i) => `${i}`) })],
  [
    'a list of a million members',
    'PutItem',
    put({ L: Array.from({ length: 1_000_000 }, () => ({ NULL: true })) }),
  ],
  [
    'a batch of 200,000 writes',
    'BatchWriteItem',
    { RequestItems: { worst: many(200_000, (n) => ({ PutRequest: { Item: { pk: { S: `${n}` } } } })) } },
  ],
  [
    'a batch of 400,000 keys',
    'BatchGetItem',
    { RequestItems: { worst: { Keys: many(400_000, (n) => ({ pk: { S: `${n}` } })) } } },
  ],
  [
    'a transaction of 150,000 writes',
    'TransactWriteItems',
    { TransactItems: many(150_000, (n) => ({ Put: { TableName: 'worst', Item: { pk: { S: `${n}` } } } })) },
  ],
  [
    'a batch of 200,000 statements',
    'BatchExecuteStatement',
    { Statements: many(200_000, (n) => ({ Statement: `SELECT * FROM worst WHERE pk = '${n}'` })) },
  ],
  [
    '300,000 tags',
    'TagResource',
    {
      ResourceArn: 'arn:aws:dynamodb:us-east-1:000000000000:table/worst',
      Tags: many(300_000, (n) => ({ Key: `${n}`, Value: 'v' })),
    },
  ],
  [
    'an unknown member with three million members',
    'PutItem',
    { ...put({ N: '1' }), More: many(3_000_000, () => 0) },
  ],
]

/** Bodies that are refused while they are parsed. */
const LARGE: typeof WORST = [
  [
    '600,000 attributes',
    'PutItem',
    put({ M: Object.fromEntries(many(600_000, (n) => [`a${n}`, { NULL: true }])) }),
  ],
  [
    'half a million placeholders',
    'UpdateItem',
    condition('a = :a1', Object.fromEntries(many(500_000, (n) => [`:a${n}`, { NULL: true }]))),
  ],
  ['a text of 16 MB', 'PutItem', put({ S: 'x'.repeat(16_000_000) })],
  ['a text of nothing but escaped quotes', 'PutItem', put({ S: '"'.repeat(8_000_000) })],
]

it.each([...WORST, ...LARGE])('the parts of a body do not hold the event loop: %s', (_, __, input) => {
  const body = Buffer.from(JSON.stringify(input))
  const tries = many(TRIES, () => {
    const steps = parseInPieces(body)
    const milliseconds: number[] = []
    for (let isDone = false; !isDone; ) {
      const before = process.cpuUsage()
      try {
        isDone = steps.next().done === true
      } catch {
        isDone = true
      }
      const { user, system } = process.cpuUsage(before)
      milliseconds.push((user + system) / 1000)
    }
    return milliseconds.reduce((most, each) => Math.max(most, each))
  })
  expect(Math.min(...tries)).toBeLessThan(MAX_MILLISECONDS)
})

describe('a request that has been parsed', () => {
  const fixture = new EngineFixture({ throttle: false })
  beforeAll(() => {
    fixture.ask('CreateTable', {
      TableName: 'worst',
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    })
  })

  it.each(WORST)('does not hold the event loop: %s', (_, operation, input) => {
    // Each item of the conditions fits the limit of an item by itself.
    const held = operation === 'UpdateItem' ? heldFor(input) : {}
    fixture.ask('PutItem', { TableName: 'worst', Item: { ...KEY, ...held } })
    const tries = Array.from({ length: TRIES }, () => {
      const before = process.cpuUsage()
      try {
        fixture.ask(operation, input)
      } catch {
        // A refusal must be as fast.
      }
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1000
    })
    expect(Math.min(...tries)).toBeLessThan(MAX_MILLISECONDS)
  })
})

/** The attribute that a condition reads. */
function heldFor(input: object): object {
  const text = JSON.stringify(input)
  if (text.includes('contains(a')) return { a: { S: 'a'.repeat(390_000) } }
  if (text.includes('contains(b')) return { b: { B: Buffer.alloc(390_000, 'a') } }
  return { s: { SS: MEMBERS } }
}
