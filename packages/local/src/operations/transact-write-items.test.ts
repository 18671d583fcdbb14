import {
  BatchWriteItemCommand,
  CreateTableCommand,
  type CreateTableCommandInput,
  DeleteItemCommand,
  DynamoDBServiceException,
  GetItemCommand,
  PutItemCommand,
  ScanCommand,
  TransactionCanceledException,
  TransactWriteItemsCommand,
  type TransactWriteItemsCommandInput,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLocal, type Local } from '../local.js'

type Action = NonNullable<TransactWriteItemsCommandInput['TransactItems']>[number]

const ON_DEMAND = { BillingMode: 'PAY_PER_REQUEST' } as const
const accounts = (throughput: Partial<CreateTableCommandInput> = ON_DEMAND) =>
  new CreateTableCommand({
    TableName: 'accounts',
    AttributeDefinitions: [
      { AttributeName: 'owner', AttributeType: 'S' },
      { AttributeName: 'branch', AttributeType: 'S' },
    ],
    KeySchema: [{ AttributeName: 'owner', KeyType: 'HASH' }],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'by_branch',
        KeySchema: [{ AttributeName: 'branch', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'ALL' },
        ...(throughput.ProvisionedThroughput && { ProvisionedThroughput: throughput.ProvisionedThroughput }),
      },
    ],
    ...throughput,
  })
const transfers = new CreateTableCommand({
  TableName: 'transfers',
  AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'N' }],
  KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
  BillingMode: 'PAY_PER_REQUEST',
})

const account = (owner: string, balance: number, more: Record<string, { S: string }> = {}) => ({
  owner: { S: owner },
  balance: { N: String(balance) },
  ...more,
})
const key = (owner: string) => ({ TableName: 'accounts', Key: { owner: { S: owner } } })
const put = (item: Record<string, unknown>, more: object = {}): Action => ({
  Put: { TableName: 'accounts', Item: item as never, ...more },
})
const add = (owner: string, amount: number, more: object = {}): Action => ({
  Update: {
    ...key(owner),
    UpdateExpression: 'SET balance = balance + :amount',
    ExpressionAttributeValues: { ':amount': { N: String(amount) } },
    ...more,
  },
})
const remove = (owner: string, more: object = {}): Action => ({ Delete: { ...key(owner), ...more } })
const check = (owner: string, ConditionExpression: string, more: object = {}): Action => ({
  ConditionCheck: { ...key(owner), ConditionExpression, ...more },
})
const record = (id: number): Action => ({ Put: { TableName: 'transfers', Item: { id: { N: String(id) } } } })

let local: Local
let client: ReturnType<Local['client']>
beforeEach(async () => {
  await start()
})
afterEach(async () => {
  await local.close()
})

async function start(options: Parameters<typeof createLocal>[0] = {}, table = accounts()): Promise<void> {
  await local?.close()
  local = createLocal(options)
  client = local.client({ maxAttempts: 1 })
  await client.send(table)
  await client.send(transfers)
  await client.send(new PutItemCommand({ TableName: 'accounts', Item: account('ann', 100) }))
}

function transact(actions: readonly Action[], more: Partial<TransactWriteItemsCommandInput> = {}) {
  return client.send(new TransactWriteItemsCommand({ TransactItems: [...actions], ...more }))
}

async function failure(work: Promise<unknown>): Promise<DynamoDBServiceException> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (error instanceof DynamoDBServiceException) return error
  throw new Error(`expected an exception of the service, got ${String(error)}`)
}

async function reasons(work: Promise<unknown>) {
  const error = await failure(work)
  if (!(error instanceof TransactionCanceledException)) throw error
  return error.CancellationReasons
}

async function itemOf(owner: string) {
  return (await client.send(new GetItemCommand(key(owner)))).Item
}

async function everything() {
  const [a, b, c] = await Promise.all([
    client.send(new ScanCommand({ TableName: 'accounts' })),
    client.send(new ScanCommand({ TableName: 'accounts', IndexName: 'by_branch' })),
    client.send(new ScanCommand({ TableName: 'transfers' })),
  ])
  return [a.Items, b.Items, c.Items]
}

describe('a transaction that writes', () => {
  it('does all of its actions, in several tables and their indexes', async () => {
    await client.send(new PutItemCommand({ TableName: 'accounts', Item: account('cid', 5) }))
    await transact([
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
    const [items, entries, records] = await everything()
    expect(items).toHaveLength(2)
    expect(items).toEqual(expect.arrayContaining([account('ann', 70), bob]))
    expect(entries).toEqual([bob])
    expect(records).toEqual([{ id: { N: '1' } }])
  })

  it('makes a new item of an update whose item is not there', async () => {
    await transact([
      {
        Update: {
          ...key('eve'),
          UpdateExpression: 'SET nick = :n',
          ExpressionAttributeValues: { ':n': { S: 'e' } },
        },
      },
    ])
    expect(await itemOf('eve')).toEqual({ owner: { S: 'eve' }, nick: { S: 'e' } })
  })

  it('tells every failed condition in its place, and does nothing', async () => {
    const before = await everything()
    const error = await failure(
      transact([
        record(1),
        add('ann', 1, {
          ConditionExpression: 'balance > :amount + :amount'.replace(' + :amount', ''),
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
    expect(await everything()).toEqual(before)
  })

  it('shows the item that a condition failed on, if it is asked to', async () => {
    const fails = { ConditionExpression: 'balance < :amount' }
    const shows = { ...fails, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }
    const Message = 'The conditional request failed'
    expect(await reasons(transact([add('ann', 1, shows), record(1)]))).toEqual([
      { Code: 'ConditionalCheckFailed', Message, Item: account('ann', 100) },
      { Code: 'None' },
    ])
    expect(await reasons(transact([add('ann', 1, fails)]))).toEqual([
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
      'an item that is too large',
      put({ owner: { S: 'x' }, text: { S: 'x'.repeat(409_600) } }),
      'Item size has exceeded the maximum allowed size',
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
    'is cancelled for %s, before any condition is looked at',
    async (_, bad, text) => {
      const told = await reasons(
        transact([check('nobody', 'attribute_exists(balance)'), bad, { ...put({ owner: { N: '2' } }) }]),
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
    'is cancelled for an update with %s, and goes on judging the others',
    async (_, UpdateExpression, value, text) => {
      await client.send(
        new PutItemCommand({
          TableName: 'accounts',
          Item: account('ned', 1, { nick: { S: 'n'.repeat(200) } }),
        }),
      )
      const update = {
        Update: { ...key('ned'), UpdateExpression, ExpressionAttributeValues: { ':v': value as never } },
      }
      const told = await reasons(transact([update, check('nobody', 'attribute_exists(balance)'), record(9)]))
      expect(told?.map(({ Code }) => Code)).toEqual(['ValidationError', 'ConditionalCheckFailed', 'None'])
      expect(told?.[0]?.Message).toContain(text)
    },
  )

  it.each([
    [
      'no actions',
      [],
      "1 validation error detected: Value '[]' at 'transactItems' failed to satisfy constraint: Member must have length greater than or equal to 1",
    ],
    [
      '101 actions',
      Array.from({ length: 101 }, (_, id) => record(id)),
      "at 'transactItems' failed to satisfy constraint: Member must have length less than or equal to 100",
    ],
    ['an action of no kind', [{}], 'TransactWriteRequest should contain Delete or Put or Update request'],
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
  ] satisfies [string, Action[], string][])('is refused as a whole for %s', async (_, actions, text) => {
    const before = await everything()
    const error = await failure(transact(actions))
    expect(error.name).toBe('ValidationException')
    expect(error.message).toContain(text)
    expect(await everything()).toEqual(before)
  })

  it('is refused when one of its tables is not there', async () => {
    const error = await failure(
      transact([add('ann', 1), { Delete: { TableName: 'nowhere', Key: { id: { N: '1' } } } }]),
    )
    expect([error.name, error.message]).toEqual(['ResourceNotFoundException', 'Requested resource not found'])
    expect(await itemOf('ann')).toEqual(account('ann', 100))
  })

  it('may delete more than 4 MB, because only the request counts', async () => {
    await start({ throttle: false })
    const owners = Array.from({ length: 12 }, (_, at) => `o${at}`)
    for (const owner of owners) {
      const Item = { owner: { S: owner }, text: { S: 'x'.repeat(400_000) } }
      await client.send(new PutItemCommand({ TableName: 'accounts', Item }))
    }
    await transact(owners.map((owner) => remove(owner)))
    expect((await everything())[0]).toEqual([account('ann', 100)])
  })
})

describe('the capacity of a transaction that writes', () => {
  it('is twice that of its writes, checks and index entries included', async () => {
    const { ConsumedCapacity } = await transact(
      [
        add('ann', 1),
        put(account('bob', 1, { branch: { S: 'b' } })),
        check('nobody', 'attribute_not_exists(balance)'),
        remove('nobody2'),
        record(1),
      ],
      { ReturnConsumedCapacity: 'INDEXES' },
    )
    const writes = (CapacityUnits: number) => ({ CapacityUnits, WriteCapacityUnits: CapacityUnits })
    expect(ConsumedCapacity).toEqual([
      {
        TableName: 'accounts',
        ...writes(10),
        Table: writes(8),
        GlobalSecondaryIndexes: { by_branch: writes(2) },
      },
      { TableName: 'transfers', ...writes(2), Table: writes(2) },
    ])
    const large = put({ owner: { S: 'l' }, text: { S: 'x'.repeat(2_500) } })
    const { ConsumedCapacity: total } = await transact([large], { ReturnConsumedCapacity: 'TOTAL' })
    expect(total).toEqual([{ TableName: 'accounts', CapacityUnits: 6, WriteCapacityUnits: 6 }])
  })

  const PROVISIONED = {
    BillingMode: 'PROVISIONED',
    ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 1 },
  } as const
  const TABLE_FULL =
    'The level of configured provisioned throughput for the table was exceeded. Consider increasing your provisioning level with the UpdateTable API.'

  it('is charged for a cancelled transaction too', async () => {
    await start({}, accounts(PROVISIONED))
    const failing = [check('nobody', 'attribute_exists(balance)'), record(1)]
    await expect(reasons(transact(failing))).resolves.toMatchObject([{ Code: 'ConditionalCheckFailed' }, {}])
    // The first put and the failed check have used up what the table gives a second.
    expect(await reasons(transact([record(1), put(account('bob', 1))]))).toEqual([
      { Code: 'None' },
      { Code: 'ProvisionedThroughputExceeded', Message: TABLE_FULL },
    ])
    expect((await everything())[2]).toEqual([])
  })

  it('is taken for all actions or for none, and the reason says which found none', async () => {
    await start({ capacity: { partitionWriteUnitsPerSecond: 10, onDemandPartitions: 1 } })
    const large = put({ owner: { S: 'l' }, text: { S: 'x'.repeat(100_000) } })
    await transact([large])
    const told = await reasons(transact([record(1), put(account('bob', 1))]))
    expect(told?.map(({ Code }) => Code)).toEqual(['None', 'ThrottlingError'])
    expect(told?.[1]?.Message).toMatch(/^Throughput exceeds the current capacity of your table or index/)
    expect(local.partitions('transfers')[0]?.write.unitsLastSecond ?? 0).toBe(0)
    expect(await itemOf('bob')).toBeUndefined()
  })
})

describe('an ongoing transaction', () => {
  const ONGOING = 'Transaction is ongoing for the item'

  it('makes single writes of its items fail, and no others', async () => {
    const ongoing = transact([add('ann', 1), check('bob', 'attribute_not_exists(balance)')])
    const meet = [
      new PutItemCommand({ TableName: 'accounts', Item: account('ann', 0) }),
      new DeleteItemCommand(key('ann')),
      new UpdateItemCommand({ ...key('bob'), UpdateExpression: 'REMOVE x' }),
      new DeleteItemCommand({ ...key('ann'), ConditionExpression: 'attribute_not_exists(balance)' }),
    ]
    const errors = await Promise.all(meet.map((command) => failure(client.send(command as PutItemCommand))))
    for (const error of errors) {
      expect([error.name, error.message]).toEqual(['TransactionConflictException', ONGOING])
      expect(error.$metadata.httpStatusCode).toBe(400)
    }
    await client.send(new PutItemCommand({ TableName: 'accounts', Item: account('cid', 0) }))
    await ongoing
    expect(await itemOf('ann')).toEqual(account('ann', 101))
    await client.send(new PutItemCommand({ TableName: 'accounts', Item: account('ann', 7) }))
  })

  it('cancels other transactions on its items, also when one or both only check', async () => {
    const exists = 'attribute_exists(balance)'
    const ongoing = transact([check('ann', exists), record(1)])
    const conflict = { Code: 'TransactionConflict', Message: ONGOING }
    expect(await reasons(transact([put(account('bob', 1)), add('ann', 1)]))).toEqual([
      { Code: 'None' },
      conflict,
    ])
    expect(await reasons(transact([check('ann', exists), check('bob', exists), record(1)]))).toEqual([
      conflict,
      { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' },
      conflict,
    ])
    await transact([record(2)])
    await ongoing
    expect((await everything())[2]).toHaveLength(2)
  })

  it('leaves the members of a batch that it meets unprocessed', async () => {
    const ongoing = transact([add('ann', 1)])
    const request = (owner: string) => ({ PutRequest: { Item: account(owner, 0) } })
    const { UnprocessedItems } = await client.send(
      new BatchWriteItemCommand({ RequestItems: { accounts: [request('ann'), request('bob')] } }),
    )
    expect(UnprocessedItems).toEqual({ accounts: [request('ann')] })
    await ongoing
    expect([await itemOf('ann'), await itemOf('bob')]).toEqual([account('ann', 101), account('bob', 0)])
  })

  it('shows nothing of itself until it has ended, and then all', async () => {
    const ongoing = transact([add('ann', 1), put(account('bob', 1, { branch: { S: 'b' } })), record(1)])
    expect(await everything()).toEqual([[account('ann', 100)], [], []])
    await ongoing
    expect((await everything()).map((items) => items?.length)).toEqual([2, 1, 1])
  })

  it('does not happen when its table goes away meanwhile', async () => {
    const ongoing = failure(transact([add('ann', 1), record(1)]))
    const { DeleteTableCommand } = await import('@aws-sdk/client-dynamodb')
    await client.send(new DeleteTableCommand({ TableName: 'accounts' }))
    expect((await ongoing).name).toBe('ResourceNotFoundException')
    expect((await client.send(new ScanCommand({ TableName: 'transfers' }))).Items).toEqual([])
    await transact([record(1)])
  })

  it('does not happen when the engine is closed meanwhile', async () => {
    const ongoing = failure(transact([add('ann', 1)]))
    await local.close()
    const error = await ongoing
    expect([error.name, error.$metadata.httpStatusCode]).toEqual(['InternalServerError', 500])
  })

  it('overlaps with nothing where transactions take no time', async () => {
    await start({ transactionMilliseconds: 0 })
    const [first, second] = await Promise.allSettled([transact([add('ann', 1)]), transact([add('ann', 1)])])
    expect([first.status, second.status]).toEqual(['fulfilled', 'fulfilled'])
    expect(await itemOf('ann')).toEqual(account('ann', 102))
  })
})

describe('a client request token', () => {
  const token = { ClientRequestToken: 'token-1' }

  it('makes a transaction happen once, and its repetition a read', async () => {
    const actions = [add('ann', 1), record(1)]
    const wanted = { ...token, ReturnConsumedCapacity: 'TOTAL' } as const
    await transact(actions, wanted)
    const again = await transact(actions, wanted)
    expect(again.ConsumedCapacity).toEqual([
      { TableName: 'accounts', CapacityUnits: 2, ReadCapacityUnits: 2 },
      { TableName: 'transfers', CapacityUnits: 2, ReadCapacityUnits: 2 },
    ])
    expect(await itemOf('ann')).toEqual(account('ann', 101))
  })

  it('is refused for another request', async () => {
    await transact([add('ann', 1)], token)
    const error = await failure(transact([add('ann', 2)], token))
    expect(error.name).toBe('IdempotentParameterMismatchException')
    expect(error.message).toMatch(/retried a request with a different payload/)
    expect(await itemOf('ann')).toEqual(account('ann', 101))
  })

  it('is refused while its transaction is on its way', async () => {
    const ongoing = transact([add('ann', 1)], token)
    const error = await failure(transact([add('ann', 1)], token))
    expect([error.name, error.message]).toEqual([
      'TransactionInProgressException',
      'The transaction with the given request token is already in progress.',
    ])
    expect((await failure(transact([add('ann', 2)], token))).name).toBe(
      'IdempotentParameterMismatchException',
    )
    await ongoing
  })

  it('protects nothing when the transaction was cancelled', async () => {
    await reasons(transact([check('nobody', 'attribute_exists(balance)')], token))
    await transact([add('ann', 1)], token)
    expect(await itemOf('ann')).toEqual(account('ann', 101))
  })

  it.each([
    [
      '',
      "Value '' at 'clientRequestToken' failed to satisfy constraint: Member must have length greater than or equal to 1",
    ],
    [
      'x'.repeat(37),
      "'clientRequestToken' failed to satisfy constraint: Member must have length less than or equal to 36",
    ],
  ])('must have 1 to 36 characters, not those of "%s"', async (ClientRequestToken, text) => {
    const error = await failure(transact([add('ann', 1)], { ClientRequestToken }))
    expect([error.name, error.message]).toEqual(['ValidationException', expect.stringContaining(text)])
  })
})
