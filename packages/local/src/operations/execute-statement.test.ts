import {
  ConditionalCheckFailedException,
  DuplicateItemException,
  type DynamoDBClient,
  ExecuteStatementCommand,
  type ExecuteStatementCommandInput,
  PutItemCommand,
  ResourceNotFoundException,
  ScanCommand,
  ThrottlingException,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { VirtualClock } from '@isotherm/runtime'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLocal, type Local } from '../local.js'

let local: Local
let client: DynamoDBClient

beforeEach(async () => {
  local = createLocal({ throttle: false })
  client = local.client({ maxAttempts: 1 })
  await client.send(
    createTable('log', ['pk', 'sk:N'], {
      global: { by_tenant: { key: ['tenant', 'sk'], projected: 'KEYS_ONLY' } },
    }),
  )
  for (const pk of ['a', 'b']) {
    for (let sk = 1; sk <= 4; sk++) {
      const Item = {
        pk: { S: pk },
        sk: { N: `${sk}` },
        tenant: { S: `t${sk % 2}` },
        v: { N: `${sk * 10}` },
        tags: { SS: ['x', 'y'] },
      }
      await client.send(new PutItemCommand({ TableName: 'log', Item }))
    }
  }
})

afterEach(async () => {
  client.destroy()
  await local.close()
})

function execute(input: string | ExecuteStatementCommandInput) {
  return client.send(new ExecuteStatementCommand(typeof input === 'string' ? { Statement: input } : input))
}

/** The keys of the items a statement finds, page by page: `a1 a2`. */
async function keysOf(input: string | ExecuteStatementCommandInput): Promise<string> {
  const keys: string[] = []
  let NextToken: string | undefined
  do {
    const request = typeof input === 'string' ? { Statement: input } : input
    const page = await execute({ ...request, ...(NextToken === undefined ? {} : { NextToken }) })
    for (const item of page.Items ?? []) keys.push(`${item.pk?.S}${item.sk?.N}`)
    NextToken = page.NextToken
  } while (NextToken !== undefined)
  return keys.join(' ')
}

async function unitsOf(input: string | ExecuteStatementCommandInput): Promise<number | undefined> {
  const request = typeof input === 'string' ? { Statement: input } : input
  const { ConsumedCapacity } = await execute({ ReturnConsumedCapacity: 'TOTAL', ...request })
  return ConsumedCapacity?.CapacityUnits
}

describe('SELECT', () => {
  it.each([
    [`pk = 'a'`, 'a1 a2 a3 a4'],
    [`pk = 'a' AND sk = 2`, 'a2'],
    [`pk = 'a' AND sk > 1 AND sk < 4`, 'a2 a3'],
    [`pk = 'a' AND sk BETWEEN 2 AND 3`, 'a2 a3'],
    [`pk = 'a' AND 3 <= sk`, 'a3 a4'],
    [`pk = 'a' AND sk > 3 AND sk < 2`, ''],
    [`pk = 'a' AND pk = 'b'`, ''],
    [`pk = 'a' AND pk IN ('a', 'b') AND sk = 1`, 'a1'],
    [`pk = 'a' AND sk IN (4, 1)`, 'a1 a4'],
    [`pk = 'a' AND v <> 20`, 'a1 a3 a4'],
    [`pk = 'a' AND (v = 10 OR v = 40)`, 'a1 a4'],
    [`pk = 'a' AND (sk = 4 OR sk = 1)`, 'a1 a4'],
    [`pk IN ('b', 'a') AND sk > 3`, 'a4 b4'],
    [`pk = 'b' AND sk = 1 OR pk = 'a' AND sk = 4`, 'a4 b1'],
    [`pk = 'a' AND NOT sk = 1 OR pk = 'a' AND sk = 2`, 'a2 a3 a4'],
    [`pk = 'a' ORDER BY sk DESC`, 'a4 a3 a2 a1'],
    [`pk = 'a' ORDER BY sk ASC`, 'a1 a2 a3 a4'],
    [`pk IN ['a', 'b'] AND sk < 3 ORDER BY pk DESC, sk`, 'b1 b2 a1 a2'],
    [`pk IN ['a', 'b'] AND sk < 3 ORDER BY pk, sk DESC`, 'a2 a1 b2 b1'],
    [`pk = 'a' AND (sk = 1 OR sk = 3) ORDER BY sk DESC`, 'a3 a1'],
  ])('WHERE %s finds %s', async (where, keys) => {
    expect(await keysOf(`SELECT * FROM log WHERE ${where}`)).toBe(keys)
  })

  it.each([1, 2, 3, 5])('finds the same items in pages of %d', async (Limit) => {
    const Statement = `SELECT * FROM log WHERE pk IN ('a', 'b') AND sk > 1 ORDER BY pk DESC, sk DESC`
    expect(await keysOf({ Statement, Limit })).toBe('b4 b3 b2 a4 a3 a2')
  })

  it('counts items dropped by the filter towards the limit', async () => {
    const page = await execute({ Statement: `SELECT * FROM log WHERE pk = 'a' AND v = 40`, Limit: 3 })
    expect(page.Items).toEqual([])
    expect(page.LastEvaluatedKey).toEqual({ pk: { S: 'a' }, sk: { N: '3' } })
    expect(page.NextToken).toBeDefined()
  })

  it('scans when the partition key is not given', async () => {
    const found = await keysOf({ Statement: 'SELECT * FROM log WHERE v >= 30', Limit: 2 })
    expect(found.split(' ').sort()).toEqual(['a3', 'a4', 'b3', 'b4'])
  })

  it('reads an index', async () => {
    const Statement = `SELECT pk, sk FROM "log"."by_tenant" WHERE tenant = 't1' ORDER BY sk DESC`
    const keys = (await keysOf({ Statement, Limit: 3 })).split(' ')
    expect(keys.slice(0, 2).sort()).toEqual(['a3', 'b3'])
    expect(keys.slice(2).sort()).toEqual(['a1', 'b1'])
  })

  it('accepts parameters', async () => {
    const Statement = 'SELECT sk, pk FROM log WHERE pk = ? AND sk BETWEEN ? AND ? AND contains(tags, ?)'
    const Parameters = [{ S: 'a' }, { N: '2' }, { N: '9' }, { S: 'x' }]
    expect(await keysOf({ Statement, Parameters })).toBe('a2 a3 a4')
  })

  it('costs the same as the equivalent query or scan', async () => {
    expect(await unitsOf(`SELECT * FROM log WHERE pk = 'a'`)).toBe(0.5)
    expect(await unitsOf({ Statement: `SELECT * FROM log WHERE pk = 'a'`, ConsistentRead: true })).toBe(1)
    expect(await unitsOf(`SELECT * FROM log WHERE pk IN ('a', 'b')`)).toBe(1)
    expect(await unitsOf(`SELECT * FROM log WHERE pk = 'none'`)).toBe(0.5)
    const { ConsumedCapacity } = await client.send(
      new ScanCommand({ TableName: 'log', ReturnConsumedCapacity: 'TOTAL' }),
    )
    expect(await unitsOf('SELECT * FROM log')).toBe(ConsumedCapacity?.CapacityUnits)
  })

  it('reports the capacity of an index separately', async () => {
    const { ConsumedCapacity } = await execute({
      Statement: `SELECT * FROM log.by_tenant WHERE tenant = 't1'`,
      ReturnConsumedCapacity: 'INDEXES',
    })
    expect(ConsumedCapacity).toMatchObject({
      CapacityUnits: 0.5,
      GlobalSecondaryIndexes: { by_tenant: { CapacityUnits: 0.5 } },
    })
  })

  it('ends a page at 1 MB and continues', async () => {
    const filler = { S: 'x'.repeat(300_000) }
    for (let sk = 1; sk <= 8; sk++) {
      const Item = { pk: { S: sk % 2 === 0 ? 'big' : 'bigger' }, sk: { N: `${sk}` }, filler }
      await client.send(new PutItemCommand({ TableName: 'log', Item }))
    }
    const Statement = `SELECT pk, sk FROM log WHERE pk IN ('big', 'bigger')`
    const first = await execute({ Statement })
    expect(first.Items).toHaveLength(4)
    expect(await keysOf(Statement)).toBe('big2 big4 big6 big8 bigger1 bigger3 bigger5 bigger7')
  })

  it('ends a page at 1 MB of all partition keys together', async () => {
    const filler = { S: 'x'.repeat(300_000) }
    for (let sk = 1; sk <= 6; sk++) {
      const Item = { pk: { S: sk % 2 === 0 ? 'big' : 'bigger' }, sk: { N: `${sk}` }, filler }
      await client.send(new PutItemCommand({ TableName: 'log', Item }))
    }
    const Statement = `SELECT pk, sk FROM log WHERE pk IN ('big', 'bigger')`
    const first = await execute({ Statement })
    expect(first.Items).toHaveLength(4)
    expect(await keysOf(Statement)).toBe('big2 big4 big6 bigger1 bigger3 bigger5')
  })

  it.each([
    [`pk = 1`, "Key attribute's data type should match its data type in table's schema: Key pk"],
    [
      `pk = 'a' AND sk > 'b'`,
      "Key attribute's data type should match its data type in table's schema: Key sk",
    ],
    [
      `pk = ''`,
      'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk',
    ],
    [`pk = 'a' ORDER BY v`, 'Variable reference v in ORDER BY clause must be part of the primary key'],
    [
      `v = 1 ORDER BY sk`,
      'Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause.',
    ],
    [`pk IN ('a', 'a')`, 'Overlapping conditions with range keys are not supported in where clause'],
    [
      `pk = 'a' AND (sk > 1 OR sk < 3)`,
      'Overlapping conditions with range keys are not supported in where clause',
    ],
    [
      `pk = 'a' AND v = 1 OR pk = 'a' AND sk = 2`,
      'Overlapping conditions with range keys are not supported in where clause',
    ],
    [
      `pk IN [${Array.from({ length: 51 }, (_, index) => `'${index}'`)}]`,
      'The IN operator is provided with too many operands; number of operands: 51',
    ],
  ])('WHERE %s is rejected', async (where, message) => {
    await expect(execute(`SELECT * FROM log WHERE ${where}`)).rejects.toMatchObject({
      name: 'ValidationException',
      message,
    })
  })

  it.each([
    ['SELECT * FROM log ORDER BY sk', 'Must have WHERE clause in the statement when using ORDER BY clause.'],
    ['SELECT * FROM log.none', 'The table does not have the specified index'],
    [
      'SELECT v, pk, tags FROM log.by_tenant',
      'One or more parameter values were invalid: Global secondary index by_tenant does not project [tags, v]',
    ],
    [
      'SELECT * FROM "a b"',
      "Table name should be within the length [3, 255] and only contain 'a-z', 'A-Z', '0-9', '-', '_', '.'.",
    ],
    ['SELECT * FROM log WHERE pk = ?', "Number of parameters in request and statement don't match."],
    [
      `EXISTS(SELECT * FROM log WHERE pk = 'a')`,
      'EXISTS can only be used in ExecuteTransaction write requests.',
    ],
  ])('%s is rejected', async (statement, message) => {
    await expect(execute(statement)).rejects.toMatchObject({ name: 'ValidationException', message })
  })

  it('is rejected for a consistent read of an index, a missing table, and a token of another statement', async () => {
    const ofIndex = { Statement: 'SELECT * FROM log.by_tenant', ConsistentRead: true }
    await expect(execute(ofIndex)).rejects.toThrow(
      'Strongly consistent read is not supported on Global Secondary Indexes',
    )
    await expect(execute('SELECT * FROM none')).rejects.toThrow(ResourceNotFoundException)
    const { NextToken = '' } = await execute({ Statement: `SELECT * FROM log WHERE pk = 'a'`, Limit: 1 })
    for (const token of ['zzz', Buffer.from('{}').toString('base64'), NextToken]) {
      const request = { Statement: `SELECT * FROM log WHERE pk = 'b'`, NextToken: token }
      await expect(execute(request)).rejects.toThrow('Invalid NextToken')
    }
    const bytes = Buffer.from(NextToken, 'base64')
    for (const token of [
      Buffer.from(bytes.toString().replace('"range":0', '"range":1')).toString('base64'),
      Buffer.from(bytes.toString().replace('"pk"', '"pK"')).toString('base64'),
      `${NextToken}!`,
      NextToken.slice(0, -4),
    ]) {
      const request = { Statement: `SELECT * FROM log WHERE pk = 'a'`, NextToken: token }
      await expect(execute(request)).rejects.toThrow('Invalid NextToken')
    }
  })
})

describe('INSERT', () => {
  it('adds an item that does not exist', async () => {
    const Statement = `INSERT INTO log VALUE {'pk': 'new', 'sk': ?, 'tags': <<'x'>>}`
    const { Items } = await execute({ Statement, Parameters: [{ N: '1' }] })
    expect(Items).toEqual([])
    const found = await execute(`SELECT * FROM log WHERE pk = 'new'`)
    expect(found.Items).toEqual([{ pk: { S: 'new' }, sk: { N: '1' }, tags: { SS: ['x'] } }])
  })

  it('does not replace an existing item, and is charged', async () => {
    const statement = `INSERT INTO log VALUE {'pk': 'a', 'sk': 1, 'v': 0}`
    await expect(execute(statement)).rejects.toThrow(DuplicateItemException)
    await expect(execute(statement)).rejects.toThrow('Duplicate primary key exists in table')
    expect(await keysOf(`SELECT * FROM log WHERE pk = 'a' AND v = 10`)).toBe('a1')
  })

  it('is charged for the table and the indexes that hold the item', async () => {
    const { ConsumedCapacity } = await execute({
      Statement: `INSERT INTO log VALUE {'pk': 'new', 'sk': 1, 'tenant': 't'}`,
      ReturnConsumedCapacity: 'INDEXES',
    })
    expect(ConsumedCapacity).toMatchObject({
      CapacityUnits: 2,
      Table: { CapacityUnits: 1 },
      GlobalSecondaryIndexes: { by_tenant: { CapacityUnits: 1 } },
    })
  })

  it.each([
    [`{'pk': 'new'}`, 'Key attribute should be present in the item: Key sk'],
    [`{'pk': 1, 'sk': 1}`, "Key attribute's data type should match its data type in table's schema: Key pk"],
  ])('of %s is rejected', async (item, message) => {
    await expect(execute(`INSERT INTO log VALUE ${item}`)).rejects.toMatchObject({
      name: 'ValidationException',
      message,
    })
  })
})

describe('UPDATE', () => {
  const ONE = `WHERE pk = 'a' AND sk = 1`

  it.each([
    [
      'ALL OLD',
      [{ pk: { S: 'a' }, sk: { N: '1' }, tenant: { S: 't1' }, v: { N: '10' }, tags: { SS: ['x', 'y'] } }],
    ],
    ['MODIFIED OLD', [{ v: { N: '10' }, tags: { SS: ['x', 'y'] } }]],
    ['ALL NEW', [{ pk: { S: 'a' }, sk: { N: '1' }, tenant: { S: 't1' }, v: { N: '11' }, w: { S: 'n' } }]],
    ['MODIFIED NEW', [{ v: { N: '11' }, w: { S: 'n' } }]],
  ])('returns %s', async (returning, items) => {
    const statement = `UPDATE log SET v = v + 1 SET w = 'n' REMOVE tags ${ONE} RETURNING ${returning} *`
    expect((await execute(statement)).Items).toEqual(items)
  })

  it('returns nothing when nothing is requested', async () => {
    expect((await execute(`UPDATE log SET v = 1 ${ONE}`)).Items).toEqual([])
    expect(await keysOf(`SELECT * FROM log WHERE pk = 'a' AND v = 1`)).toBe('a1')
  })

  it('does not create an item', async () => {
    const missing = `UPDATE log SET v = 1 WHERE pk = 'a' AND sk = 9 AND attribute_not_exists(pk)`
    await expect(execute(missing)).rejects.toThrow(ConditionalCheckFailedException)
    expect(await keysOf(`SELECT * FROM log WHERE pk = 'a' AND sk = 9`)).toBe('')
  })

  it('applies the rest of its WHERE clause as a condition', async () => {
    const statement = `UPDATE log SET v = 1 ${ONE} AND (v = 7 OR tags IS MISSING)`
    await expect(execute(statement)).rejects.toThrow('The conditional request failed')
    const failed = execute({ Statement: statement, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' })
    await expect(failed).rejects.toMatchObject({ Item: { v: { N: '10' } } })
  })

  it.each([
    [`SET v = 1`, 'Where clause does not contain a mandatory equality on all key attributes'],
    [`SET v = 1 WHERE pk = 'a'`, 'Where clause does not contain a mandatory equality on all key attributes'],
    [
      `SET v = 1 WHERE pk = 'a' AND sk IN (1)`,
      'Where clause does not contain a mandatory equality on all key attributes',
    ],
    [`SET v = 1 ${ONE} OR v = 2`, 'Where clause does not contain a mandatory equality on all key attributes'],
    [
      `SET v = 1 ${ONE} AND pk = 'b'`,
      'Multiple conditions on same key pk. Only single item Update/Insert/Delete are supported',
    ],
    [
      `SET sk = 2 ${ONE}`,
      'One or more parameter values were invalid: Cannot update attribute sk. This attribute is part of the key',
    ],
    [`SET x.y = 2 ${ONE}`, 'The document path provided in the update expression is invalid for update'],
  ])('%s is rejected', async (changes, message) => {
    await expect(execute(`UPDATE log ${changes}`)).rejects.toMatchObject({
      name: 'ValidationException',
      message,
    })
  })
})

describe('DELETE', () => {
  it('removes an item and returns it when requested', async () => {
    const { Items } = await execute(`DELETE FROM log WHERE pk = 'a' AND sk = 1 RETURNING ALL OLD *`)
    expect(Items).toMatchObject([{ pk: { S: 'a' }, sk: { N: '1' } }])
    expect(await keysOf(`SELECT * FROM log WHERE pk = 'a'`)).toBe('a2 a3 a4')
  })

  it('of a missing item succeeds, whatever other conditions it has', async () => {
    const { Items } = await execute(`DELETE FROM log WHERE pk = 'a' AND sk = 9 AND v = 1 RETURNING ALL OLD *`)
    expect(Items).toEqual([])
  })

  it('fails when the rest of its WHERE clause is false', async () => {
    await expect(execute(`DELETE FROM log WHERE pk = 'a' AND sk = 1 AND v = 1`)).rejects.toThrow(
      ConditionalCheckFailedException,
    )
    await expect(execute(`DELETE FROM log WHERE pk = 'a'`)).rejects.toThrow(
      'Where clause does not contain a mandatory equality on all key attributes',
    )
  })
})

describe('a SELECT from a local index', () => {
  it('counts entries and the items behind them for the 1 MB of a page', async () => {
    const projected = ['half']
    await client.send(createTable('large', ['pk', 'sk:N'], { local: { by_v: { sort: 'v:N', projected } } }))
    const half = { S: 'x'.repeat(130_000) }
    for (const [pk, sk] of ['a1', 'b2', 'b3', 'b4'].map((key) => [...key] as [string, string])) {
      const Item = { pk: { S: pk }, sk: { N: sk }, v: { N: sk }, half, other: half }
      await client.send(new PutItemCommand({ TableName: 'large', Item }))
    }
    // Each item takes 130 KB in the index and 260 KB in the table.
    const { Items } = await execute(`SELECT pk, other FROM "large".by_v WHERE pk IN ('a', 'b')`)
    expect(Items).toHaveLength(3)
  })

  it('returns the attributes in the index, and fetches others that are named, at a cost', async () => {
    await client.send(
      createTable('local', ['pk', 'sk:N'], { local: { by_v: { sort: 'v:N', projected: 'KEYS_ONLY' } } }),
    )
    await execute(`INSERT INTO "local" VALUE {'pk': 'a', 'sk': 1, 'v': 2, 'w': 'more'}`)
    const where = `FROM "local".by_v WHERE pk = 'a' AND v > 1`
    const held = await execute({ Statement: `SELECT * ${where}`, ConsistentRead: true })
    expect(held.Items).toEqual([{ pk: { S: 'a' }, sk: { N: '1' }, v: { N: '2' } }])
    const fetched = await execute({ Statement: `SELECT w ${where}`, ReturnConsumedCapacity: 'INDEXES' })
    expect(fetched.Items).toEqual([{ w: { S: 'more' } }])
    expect(fetched.ConsumedCapacity).toMatchObject({
      CapacityUnits: 1,
      Table: { CapacityUnits: 0.5 },
      LocalSecondaryIndexes: { by_v: { CapacityUnits: 0.5 } },
    })
  })
})

describe('a throttled SELECT', () => {
  it('ends its page where capacity ends, and fails when there is none at all', async () => {
    const clock = new VirtualClock(1_800_000_000_000)
    const capacity = { partitionReadUnitsPerSecond: 1, onDemandPartitions: 1 }
    const slow = createLocal({ clock, capacity })
    const slowClient = slow.client({ maxAttempts: 1 })
    await createHashTable(slowClient)
    const select = (NextToken?: string) =>
      slowClient.send(
        new ExecuteStatementCommand({
          Statement: `SELECT pk FROM plain WHERE pk IN ('a', 'b')`,
          ConsistentRead: true,
          ...(NextToken === undefined ? {} : { NextToken }),
        }),
      )
    const first = await select()
    expect(first.Items).toEqual([{ pk: { S: 'a' } }])
    expect(first.LastEvaluatedKey).toBeUndefined()
    await expect(select(first.NextToken)).rejects.toThrow(ThrottlingException)
    await clock.advance(2000)
    const second = await select(first.NextToken)
    expect(second.Items).toEqual([{ pk: { S: 'b' } }])
    expect(second.NextToken).toBeUndefined()
    slowClient.destroy()
    await slow.close()
  })
})

async function createHashTable(target: DynamoDBClient): Promise<void> {
  await target.send(createTable('plain', ['pk']))
  for (const pk of ['a', 'b']) {
    await target.send(new PutItemCommand({ TableName: 'plain', Item: { pk: { S: pk } } }))
  }
}
