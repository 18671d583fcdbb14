import { connect } from 'node:net'
import { Pool } from 'undici'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ServedProcess } from './served-process.js'

/** `ISOTHERM_REQUESTS=1000000` sends as many as a busy endpoint gets in minutes. */
const REQUESTS = Number(process.env.ISOTHERM_REQUESTS ?? 100_000)
/** After these, each cache is as large as it gets, but that of texts. */
const WARM_UP = 20_000
/** These fill the cache of texts. */
const LARGE_ITEMS = 120
const LARGE_CHARACTERS = 390_000
const CONNECTIONS = 16
/** Requests that are on their way on one connection. */
const PIPELINE = 10
/** Few, because the history of heat names each key for five minutes. */
const KEYS = 20
/** Each of these requests, some callers leave in the middle of a request or send nothing more. */
const LEAVE_EVERY = 2_000
const MEASURE_EVERY = 20_000
/** What may stay of a request, on average of all kinds: no kind may leave a text behind. */
const BYTES_OF_A_REQUEST = 8
/** What comes and goes with time: a second of the history of heat, a connection. */
const SLACK_BYTES = 1_200_000
/** Of the process's heap. It holds the table, the history of heat and full caches. */
const HEAP_MEGABYTES = 160
/** With Node itself, buffers and what its collector needs. */
const MAX_MEGABYTES = 300

let served: ServedProcess
let pool: Pool
beforeAll(async () => {
  served = await ServedProcess.start(['local', '--no-throttle'], {
    heapMegabytes: HEAP_MEGABYTES,
    isInspected: true,
  })
  pool = new Pool(served.url, { connections: CONNECTIONS, pipelining: PIPELINE })
  expect(await send('CreateTable', JSON.stringify(TABLE))).toBe(200)
})
afterAll(async () => {
  await pool.destroy()
  await served.stop()
})

const TABLE = {
  TableName: 'log',
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
  BillingMode: 'PAY_PER_REQUEST',
}

async function send(operation: string, body: string): Promise<number> {
  const headers = {
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-target': `DynamoDB_20120810.${operation}`,
  }
  const answer = await pool.request({ path: '/', method: 'POST', headers, body })
  await answer.body.dump()
  return answer.statusCode
}

const keyOf = (number: number) => `key-${number % KEYS}`
const depth = (levels: number) => '{"L":['.repeat(levels) + ']}'.repeat(levels)

/** What callers send, and what they should not. Names and texts differ from request to request, so whatever keeps them would grow. */
const KINDS: readonly ((
  number: number,
) => readonly [operation: string, input: object | string, status: number])[] = [
  (n) => ['PutItem', { TableName: 'log', Item: { pk: { S: keyOf(n) }, text: { S: 'x'.repeat(500) } } }, 200],
  (n) => ['GetItem', { TableName: 'log', Key: { pk: { S: keyOf(n) } } }, 200],
  (n) => [
    'UpdateItem',
    {
      TableName: 'log',
      Key: { pk: { S: keyOf(n) } },
      UpdateExpression: `SET last = :n, place${n} = :n REMOVE place${n}x`,
      ConditionExpression: `attribute_not_exists(place${n}) AND missing = :n`,
      ExpressionAttributeValues: { ':n': { N: String(n) } },
    },
    400,
  ],
  (n) => [
    'Query',
    {
      TableName: 'log',
      KeyConditionExpression: 'pk = :k',
      FilterExpression: `place${n} = :k`,
      ExpressionAttributeValues: { ':k': { S: keyOf(n) } },
    },
    200,
  ],
  (n) => ['ExecuteStatement', { Statement: `SELECT place${n} FROM log WHERE pk = '${keyOf(n)}'` }, 200],
  (n) => ['GetItem', { TableName: `table-${n}`, Key: { pk: { S: 'k' } } }, 400],
  (n) => [`Operation${n}`, {}, 400],
  (n) => ['GetItem', `{"TableName":"log","Key":{"pk":{"S":"${n}"}`, 400],
  () => ['PutItem', `{"TableName":"log","Item":{"pk":{"S":"deep"},"deep":${depth(100)}}}`, 400],
]

/** A caller that goes away in the middle of a request, and one that sends no more of it. */
function leave(): void {
  const { hostname, port } = new URL(served.url)
  for (const isPatient of [true, false]) {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    socket.write('POST / HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 1000\r\n\r\n{"TableName":', () => {
      if (!isPatient) socket.destroy()
    })
    // The endpoint ends the connection of the patient one when its time for a request is over.
    if (isPatient) socket.unref()
  }
}

it.skipIf(process.platform !== 'linux')(
  'requests, most of them different and half of them wrong, leave nothing in memory',
  async () => {
    const unexpected: string[] = []
    let sent = 0
    const sendUpTo = async (last: number) => {
      const work = async () => {
        while (sent < last) {
          const number = sent++
          const [operation, input, expected] = KINDS[number % KINDS.length]?.(number) ?? ['', {}, 0]
          if (number % LEAVE_EVERY === 0) leave()
          const status = await send(operation, typeof input === 'string' ? input : JSON.stringify(input))
          if (status !== expected && unexpected.length < 10) unexpected.push(`${operation}: ${status}`)
        }
      }
      await Promise.all(Array.from({ length: CONNECTIONS * PIPELINE }, work))
    }
    await fillTextCache()
    await sendUpTo(WARM_UP)
    const heap = await served.heap()
    const before = await heap.bytes()
    const more: number[] = []
    for (let last = WARM_UP; last < WARM_UP + REQUESTS; ) {
      last += MEASURE_EVERY
      await sendUpTo(last)
      more.push((await heap.bytes()) - before)
      expect(served.memory()).toBeLessThan(MAX_MEGABYTES)
    }
    heap.close()
    expect(unexpected).toEqual([])
    // The least of the last two: a collection of garbage may find more than another.
    expect(Math.min(...more.slice(-2))).toBeLessThan(SLACK_BYTES + BYTES_OF_A_REQUEST * REQUESTS)
  },
  900_000,
)

async function fillTextCache(): Promise<void> {
  for (let number = 0; number < LARGE_ITEMS; number++) {
    const Key = { pk: { S: keyOf(number) } }
    const text = { S: 'x'.repeat(LARGE_CHARACTERS) }
    expect(await send('PutItem', JSON.stringify({ TableName: 'log', Item: { ...Key, text } }))).toBe(200)
    expect(await send('GetItem', JSON.stringify({ TableName: 'log', Key }))).toBe(200)
  }
}
