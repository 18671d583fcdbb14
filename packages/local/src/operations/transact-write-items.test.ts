import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type Action,
  account,
  add,
  Bank,
  check,
  failure,
  key,
  put,
  reasons,
  record,
  remove,
} from '../transaction/bank.fixture.js'

let bank: Bank
beforeEach(async () => {
  bank = await Bank.open()
})
afterEach(() => bank.close())

describe('a transaction that writes', () => {
  it('executes all of its actions, in several tables and their indexes', async () => {
    await bank.client.send(new PutItemCommand({ TableName: 'accounts', Item: account('cid', 5) }))
    await bank.transact([
      add('ann', -30),
      put(account('bob', 30, { branch: { S: 'north' } }), {
        ConditionExpression: 'attribute_not_exists(#o)',
        ExpressionAttributeNames: { '#o': 'owner' },
      }),
      remove('cid', {
        ConditionExpression: 'balance = :five',
        ExpressionAttributeValues: { ':five': { N: '5' } },
      }),
      check('dan', 'attribute_not_exists(balance)'),
      record(1),
    ])
    const bob = account('bob', 30, { branch: { S: 'north' } })
    const [items, entries, records] = await bank.everything()
    expect(items).toHaveLength(2)
    expect(items).toEqual(expect.arrayContaining([account('ann', 70), bob]))
    expect(entries).toEqual([bob])
    expect(records).toEqual([{ id: { N: '1' } }])
  })

  it('creates an item for an update of a missing one', async () => {
    await bank.transact([
      {
        Update: {
          ...key('eve'),
          UpdateExpression: 'SET nick = :n',
          ExpressionAttributeValues: { ':n': { S: 'e' } },
        },
      },
    ])
    expect(await bank.itemOf('eve')).toEqual({ owner: { S: 'eve' }, nick: { S: 'e' } })
  })

  it('reports every failed condition at its position, and writes nothing', async () => {
    const before = await bank.everything()
    const error = await failure(
      bank.transact([
        record(1),
        add('ann', 1, {
          ConditionExpression: 'balance > :amount',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
        check('ann2', 'attribute_exists(balance)', { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }),
        remove('bob', { ConditionExpression: 'attribute_exists(balance)' }),
        put(account('ann3', 1)),
      ]),
    )
    expect(error.message).toBe(
      'Transaction cancelled, please refer cancellation reasons for specific reasons [None, None, ConditionalCheckFailed, ConditionalCheckFailed, None]',
    )
    expect(await bank.everything()).toEqual(before)
  })

  it('returns the item that failed a condition, if requested', async () => {
    const fails = { ConditionExpression: 'balance < :amount' }
    const shows = { ...fails, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }
    const Message = 'The conditional request failed'
    expect(await reasons(bank.transact([add('ann', 1, shows), record(1)]))).toEqual([
      { Code: 'ConditionalCheckFailed', Message, Item: account('ann', 100) },
      { Code: 'None' },
    ])
    expect(await reasons(bank.transact([add('ann', 1, fails)]))).toEqual([
      { Code: 'ConditionalCheckFailed', Message },
    ])
  })

  it.each([
    [
      'a key of the wrong type',
      put({ owner: { N: '1' } }),
      'Type mismatch for key owner expected: S actual: N',
    ],
    ['an item without its key', put({ balance: { N: '1' } }), 'Missing the key owner in the item'],
    [
      'a key with more than the key',
      { Delete: { TableName: 'accounts', Key: account('ann', 1) } },
      'The provided key element does not match the schema',
    ],
    [
      'a key that is too long',
      remove('x'.repeat(2049)),
      'Size of hashkey has exceeded the maximum size limit of2048 bytes',
    ],
    [
      'an index key of the wrong type',
      put({ owner: { S: 'x' }, branch: { N: '1' } }),
      'Type mismatch for Index Key branch Expected: S Actual: N IndexName: by_branch',
    ],
    [
      'an update of the key',
      {
        Update: {
          ...key('ann'),
          UpdateExpression: 'SET #o = :o',
          ExpressionAttributeNames: { '#o': 'owner' },
          ExpressionAttributeValues: { ':o': { S: 'x' } },
        },
      },
      'Cannot update attribute owner. This attribute is part of the key',
    ],
  ] satisfies [string, Action, string][])(
    'is cancelled for %s, before any condition is checked',
    async (_, bad, text) => {
      const told = await reasons(
        bank.transact([check('nobody', 'attribute_exists(balance)'), bad, { ...put({ owner: { N: '2' } }) }]),
      )
      expect(told?.map(({ Code }) => Code)).toEqual(['None', 'ValidationError', 'None'])
      expect(told?.[1]?.Message).toContain(text)
    },
  )

  it.each([
    [
      'a wrong operand',
      'SET balance = nick + :v',
      { N: '1' },
      'An operand in the update expression has an incorrect data type',
    ],
    [
      'a missing attribute',
      'SET balance = absent + :v',
      { N: '1' },
      'The provided expression refers to an attribute that does not exist in the item',
    ],
    [
      'a path that is not there',
      'SET absent.part = :v',
      { N: '1' },
      'The document path provided in the update expression is invalid for update',
    ],
    [
      'an item that grows too large',
      'SET more = :v',
      { S: 'x'.repeat(409_500) },
      'Item size to update has exceeded the maximum allowed size',
    ],
    ['an index key of the wrong type', 'SET branch = :v', { N: '1' }, 'Type mismatch for Index Key branch'],
  ])(
    'is cancelled for an update with %s, and still checks the others',
    async (_, UpdateExpression, value, text) => {
      await bank.client.send(
        new PutItemCommand({
          TableName: 'accounts',
          Item: account('ned', 1, { nick: { S: 'n'.repeat(200) } }),
        }),
      )
      const update = {
        Update: { ...key('ned'), UpdateExpression, ExpressionAttributeValues: { ':v': value as never } },
      }
      const told = await reasons(
        bank.transact([update, check('nobody', 'attribute_exists(balance)'), record(9)]),
      )
      expect(told?.map(({ Code }) => Code)).toEqual(['ValidationError', 'ConditionalCheckFailed', 'None'])
      expect(told?.[0]?.Message).toContain(text)
    },
  )

  it.each([
    [
      'no actions',
      [],
      "1 validation error detected: Value at 'TransactItems' failed to satisfy constraint: Member must have length greater than or equal to 1",
    ],
    [
      '101 actions',
      Array.from({ length: 101 }, (_, id) => record(id)),
      "Value at 'TransactItems' failed to satisfy constraint: Member must have length less than or equal to 100",
    ],
    [
      'an action of no kind',
      [{}],
      'TransactWriteRequest should contain Delete or Put or Update or ConditionCheck',
    ],
    [
      'an action of two kinds',
      [{ ...record(1), ...remove('ann') }],
      'TransactItems can only contain one of Check, Put, Update or Delete',
    ],
    [
      'two actions on one item',
      [add('ann', 1), check('ann', 'attribute_exists(balance)')],
      'Transaction request cannot include multiple operations on one item',
    ],
    [
      'a check without a condition',
      [{ ConditionCheck: key('ann') as never }],
      "Value null at 'transactItems.1.member.conditionCheck.conditionExpression' failed to satisfy constraint: Member must not be null",
    ],
    [
      'a value that nothing uses',
      [
        put(account('x', 1), {
          ConditionExpression: 'attribute_exists(balance)',
          ExpressionAttributeValues: { ':v': { N: '1' } },
        }),
      ],
      'Value provided in ExpressionAttributeValues unused in expressions: keys: {:v}',
    ],
    [
      'a name that is not given',
      [check('ann', 'attribute_exists(#xyz)')],
      'An expression attribute name used in the document path is not defined; attribute name: #xyz',
    ],
    ['a broken expression', [check('ann', 'hello!')], 'Invalid ConditionExpression: Syntax error'],
    [
      'an empty key',
      [put(account('', 1))],
      'The AttributeValue for a key attribute cannot contain an empty string value. Key: owner',
    ],
    [
      'an unknown wish',
      [add('ann', 1, { ReturnValuesOnConditionCheckFailure: 'none' })],
      "'transactItems.1.member.update.returnValuesOnConditionCheckFailure' failed to satisfy constraint",
    ],
    [
      'more than 4 MB',
      Array.from({ length: 11 }, (_, at) =>
        put({ owner: { S: `o${at}` }, text: { S: 'x'.repeat(400_000) } }),
      ),
      'Transaction payload size cannot exceed 4MB. Payload Size: 4400',
    ],
  ] satisfies [string, Action[], string][])('is rejected as a whole for %s', async (_, actions, text) => {
    const before = await bank.everything()
    const error = await failure(bank.transact(actions))
    expect(error.name).toBe('ValidationException')
    expect(error.message).toContain(text)
    expect(await bank.everything()).toEqual(before)
  })

  it('is rejected when one of its tables is missing', async () => {
    const error = await failure(
      bank.transact([add('ann', 1), { Delete: { TableName: 'nowhere', Key: { id: { N: '1' } } } }]),
    )
    expect([error.name, error.message]).toEqual(['ResourceNotFoundException', 'Requested resource not found'])
    expect(await bank.itemOf('ann')).toEqual(account('ann', 100))
  })

  it('may delete more than 4 MB, because only the request counts', async () => {
    await bank.close()
    bank = await Bank.open({ throttle: false })
    const owners = Array.from({ length: 12 }, (_, at) => `o${at}`)
    for (const owner of owners) {
      const Item = { owner: { S: owner }, text: { S: 'x'.repeat(400_000) } }
      await bank.client.send(new PutItemCommand({ TableName: 'accounts', Item }))
    }
    await bank.transact(owners.map((owner) => remove(owner)))
    expect((await bank.everything())[0]).toEqual([account('ann', 100)])
  })
})

describe('a transaction with expressions that address parts of a key', () => {
  const into = (kind: string) =>
    `Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: ${kind}`

  it.each<[string, Action, string]>([
    [
      'by the condition of a put',
      put(account('x', 1), { ConditionExpression: 'attribute_exists(branch[0])' }),
      'IndexKey: branch',
    ],
    [
      'by the condition of a delete',
      remove('x', {
        ConditionExpression: 'attribute_exists(#o.a)',
        ExpressionAttributeNames: { '#o': 'owner' },
      }),
      'Key: owner',
    ],
    ['by a check', check('x', 'attribute_exists(branch.a)'), 'IndexKey: branch'],
    ['by an update', { Update: { ...key('x'), UpdateExpression: 'REMOVE branch.a' } }, 'IndexKey: branch'],
  ])('is rejected as a whole: %s', async (_, action, kind) => {
    expect(await failure(bank.transact([action]))).toMatchObject({
      name: 'ValidationException',
      message: into(kind),
    })
  })
})
