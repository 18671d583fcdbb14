import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { table } from '@isotherm/fixtures'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { EngineFixture, REGION } from '../engine/engine.fixture.js'
import { LmdbStorage } from '../storage/lmdb/lmdb-storage.js'

const folder = mkdtempSync(join(tmpdir(), 'isotherm-large-batches-'))
afterAll(() => rmSync(folder, { recursive: true }))

const TableName = 'documents'
const TEXT = { S: 'x'.repeat(300_000) }
const ids = (count: number) => Array.from({ length: count }, (_, number) => ({ id: { S: `${number}` } }))
const reads = (count: number) => ({
  RequestItems: { [TableName]: { Keys: ids(count) } },
  ReturnConsumedCapacity: 'TOTAL',
})
const puts = (count: number, text: object) => ({
  RequestItems: { [TableName]: ids(count).map((id) => ({ PutRequest: { Item: { ...id, text } } })) },
  ReturnConsumedCapacity: 'TOTAL',
})
const deletes = (count: number) => ({
  RequestItems: { [TableName]: ids(count).map((Key) => ({ DeleteRequest: { Key } })) },
})

describe('a large batch on disk', () => {
  let directories = 0
  let fixture: EngineFixture
  beforeEach(async () => {
    const storage = new LmdbStorage(join(folder, `${directories++}`))
    fixture = new EngineFixture({ storage, throttle: false })
    await ask('CreateTable', table(TableName, ['id']))
  })
  afterEach(() => fixture.engine.close())

  const ask = async (operation: string, input: object) => fixture.engine.execute(operation, input, REGION)
  const failure = (answer: Promise<object>) =>
    answer.then(
      () => 'none',
      (error: Error) => `${error.name}: ${error.message}`,
    )
  /** The turns of the event loop until an answer. */
  const turnsOf = async (answer: Promise<object>) => {
    let turns = 0
    let isDone = false
    void answer.finally(() => {
      isDone = true
    })
    for (; !isDone; turns++) await new Promise(setImmediate)
    return turns
  }

  it('is read over many turns of the event loop', async () => {
    await ask('BatchWriteItem', puts(20, TEXT))
    const answer = ask('BatchGetItem', reads(20))
    expect(await turnsOf(answer)).toBeGreaterThan(15)
    expect(await answer).toEqual({
      Responses: { [TableName]: ids(20).map((id) => ({ ...id, text: TEXT })) },
      UnprocessedKeys: {},
      ConsumedCapacity: [{ TableName, CapacityUnits: 740 }],
    })
  })

  const selected = (count: number) =>
    ids(count).map(({ id }) => ({ Statement: `SELECT * FROM ${TableName} WHERE id = '${id.S}'` }))

  it.each([
    ['BatchExecuteStatement', { Statements: selected(20) }],
    ['ExecuteTransaction', { TransactStatements: selected(10) }],
    ['TransactGetItems', { TransactItems: ids(10).map((Key) => ({ Get: { TableName, Key } })) }],
  ])('is read over many turns by %s, each as of its time', async (operation, input) => {
    await ask('BatchWriteItem', puts(20, TEXT))
    const answer = ask(operation, input)
    const later = ask('PutItem', { TableName, Item: { id: { S: '9' }, text: { S: 'later' } } })
    expect(await turnsOf(answer)).toBeGreaterThan(5)
    await later
    const { Responses } = (await answer) as { readonly Responses: readonly { readonly Item?: object }[] }
    const read = Responses.map(({ Item }) => Item)
    // A batch is not atomic: it may find what was stored meanwhile.
    const isBatch = operation === 'BatchExecuteStatement'
    const among = isBatch ? [TEXT, { S: 'later' }] : [TEXT]
    expect(read).toEqual(
      ids(read.length).map((id) => ({ ...id, text: id.id.S === '9' ? expect.toBeOneOf(among) : TEXT })),
    )
  })

  it('is written over many turns by statements, and each lets other requests in', async () => {
    await ask('BatchWriteItem', puts(20, TEXT))
    const change = (id: { readonly S: string }) => ({
      Statement: `UPDATE ${TableName} SET state = 'new' WHERE id = '${id.S}'`,
    })
    const answer = ask('BatchExecuteStatement', { Statements: ids(20).map(({ id }) => change(id)) })
    expect(await turnsOf(answer)).toBeGreaterThan(15)
    const { Items } = (await ask('Scan', { TableName })) as { readonly Items: readonly object[] }
    expect(Items.length).toBeGreaterThan(2)
    for (const item of Items) expect(item).toMatchObject({ state: { S: 'new' }, text: TEXT })
  })

  it('names the statements that came after the end of the table', async () => {
    await ask('BatchWriteItem', puts(20, TEXT))
    const answer = ask('BatchExecuteStatement', { Statements: selected(20) })
    await ask('DeleteTable', { TableName })
    const { Responses } = (await answer) as { readonly Responses: readonly object[] }
    expect(Responses[0]).toMatchObject({ Item: { text: TEXT } })
    expect(Responses.at(-1)).toMatchObject({ Error: { Code: 'ResourceNotFound' } })
  })

  it('is read in one turn if it is small', async () => {
    await ask('BatchWriteItem', puts(20, { S: 'short' }))
    expect(await turnsOf(ask('BatchGetItem', reads(20)))).toBeLessThan(3)
  })

  it('lets other requests in while it is written', async () => {
    const answer = ask('BatchWriteItem', puts(20, TEXT))
    await ask('PutItem', { TableName, Item: { id: { S: '19' }, text: { S: 'between' } } })
    expect(await answer).toEqual({
      UnprocessedItems: {},
      ConsumedCapacity: [{ TableName, CapacityUnits: 5_860 }],
    })
    const last = { TableName, Key: { id: { S: '19' } }, ConsistentRead: true }
    expect(await ask('GetItem', last)).toEqual({ Item: { id: { S: '19' }, text: TEXT } })
    const removal = ask('BatchWriteItem', deletes(20))
    await ask('PutItem', { TableName, Item: { id: { S: '19' } } })
    await removal
    expect(await ask('GetItem', last)).toEqual({})
  })

  it.each(['BatchGetItem', 'BatchWriteItem'])('fails in %s when its table is gone', async (operation) => {
    await ask('BatchWriteItem', puts(20, TEXT))
    const answer = failure(ask(operation, operation === 'BatchGetItem' ? reads(20) : puts(20, TEXT)))
    await ask('DeleteTable', { TableName })
    expect(await answer).toBe('ResourceNotFoundException: Requested resource not found')
    await ask('CreateTable', table(TableName, ['id']))
    expect(await ask('Scan', { TableName, Select: 'COUNT' })).toMatchObject({ Count: 0 })
  })

  it.each(['BatchGetItem', 'BatchWriteItem'])(
    'fails in %s when the engine is closed or emptied',
    async (operation) => {
      const start = () => failure(ask(operation, operation === 'BatchGetItem' ? reads(20) : puts(20, TEXT)))
      await ask('BatchWriteItem', puts(20, TEXT))
      const emptied = start()
      await fixture.engine.reset()
      expect(await emptied).toBe(
        'InternalServerError: The data was loaded again or replaced while the request was served.',
      )
      await ask('CreateTable', table(TableName, ['id']))
      expect(await ask('Scan', { TableName, Select: 'COUNT' })).toMatchObject({ Count: 0 })
      await ask('BatchWriteItem', puts(20, TEXT))
      const closed = start()
      await fixture.engine.close()
      expect(await closed).toBe('InternalServerError: The engine is closed; make a new one.')
    },
  )
})

it('answers a large batch at once in memory', () => {
  const fixture = new EngineFixture({ throttle: false })
  fixture.ask('CreateTable', table(TableName, ['id']))
  expect(fixture.ask('BatchWriteItem', puts(20, TEXT)).UnprocessedItems).toEqual({})
  expect(fixture.ask('BatchGetItem', reads(20)).Responses[TableName]).toHaveLength(20)
})
