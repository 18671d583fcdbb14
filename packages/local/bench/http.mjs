/**
 * Measures requests per second over HTTP, for the engine and for a bare node:http server that parses the same JSON and
 * sends the same bytes. Each runs in a separate process. They are measured alternately in several rounds, so that a
 * slowdown of the machine affects both.
 *
 *     npm run bench:http -- --connections 32 --seconds 3 --rounds 5
 */
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { drive } from './http-load.mjs'

const { values } = parseArgs({
  options: {
    connections: { type: 'string', default: '32' },
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '5' },
  },
})
const [connections, seconds, rounds] = [values.connections, values.seconds, values.rounds].map(Number)

const key = (index) => ({ pk: { S: `user-${String(index).padStart(6, '0')}` } })
/** An item of 200 bytes, as DynamoDB counts them. */
const item = (index) => ({
  ...key(index),
  name: { S: 'Ada Lovelace' },
  visits: { N: '1815' },
  about: { S: 'x'.repeat(200 - 2 - 11 - 4 - 12 - 6 - 3 - 5) },
})
const KEYS = 10_000
const workloads = {
  PutItem: (index) => ({ TableName: 'bench', Item: item(index % KEYS) }),
  GetItem: (index) => ({ TableName: 'bench', Key: key(index % KEYS) }),
}

const engine = await start('./http-engine.mjs')
for (let index = 0; index < KEYS; index++) {
  await drive({
    port: engine.port,
    requests: [request('PutItem', workloads.PutItem(index))],
    connections: 1,
    count: 1,
  })
}
console.log(`Medians of ${rounds} rounds of ${seconds} s over ${connections} connections.`)
console.log('            requests a second             CPU microseconds a request')
console.log('operation    engine      bare   ratio      engine      bare   ratio')
for (const [operation, make] of Object.entries(workloads)) {
  const requests = Array.from({ length: 2000 }, (_, index) => request(operation, make(index)))
  const { answer } = await drive({ port: engine.port, requests, connections: 1, count: 1 })
  const bare = await start('./http-bare.mjs', answer)
  const servers = { engine, bare }
  const rates = { engine: [], bare: [] }
  const costs = { engine: [], bare: [] }
  for (let round = 0; round <= rounds; round++) {
    for (const [name, { port, process }] of Object.entries(servers)) {
      const before = await cpu(process)
      const { count, seconds: taken } = await drive({ port, requests, connections, seconds })
      const used = (await cpu(process)) - before
      // The first round is a warm-up for both.
      if (round === 0) continue
      rates[name].push(count / taken)
      costs[name].push(used / count)
    }
  }
  const rate = { engine: median(rates.engine), bare: median(rates.bare) }
  const cost = { engine: median(costs.engine), bare: median(costs.bare) }
  console.log(
    operation.padEnd(9),
    ...[rate.engine, rate.bare].map((value) => value.toFixed(0).padStart(9)),
    percent(rate.engine / rate.bare),
    '  ',
    ...[cost.engine, cost.bare].map((value) => value.toFixed(1).padStart(9)),
    percent(cost.bare / cost.engine),
  )
  bare.process.kill()
}
engine.process.kill()

function request(operation, input) {
  const body = JSON.stringify(input)
  return Buffer.from(
    `POST / HTTP/1.1\r\nhost: 127.0.0.1:8000\r\ncontent-type: application/x-amz-json-1.0\r\n` +
      `x-amz-target: DynamoDB_20120810.${operation}\r\namz-sdk-invocation-id: 7e5c1e37-8dbd-4bb4-9a5f-1b6a1b1a8b11\r\n` +
      `amz-sdk-request: attempt=1; max=4\r\nx-amz-user-agent: aws-sdk-js/3.1162.0\r\nx-amz-date: 20261121T100000Z\r\n` +
      `x-amz-content-sha256: ${'0'.repeat(64)}\r\n` +
      `authorization: AWS4-HMAC-SHA256 Credential=any/20261121/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date;x-amz-target, Signature=${'0'.repeat(64)}\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: keep-alive\r\n\r\n${body}`,
  )
}

function start(script, argument) {
  return new Promise((resolve) => {
    const path = fileURLToPath(new URL(script, import.meta.url))
    const child = fork(path, argument === undefined ? [] : [JSON.stringify(argument)])
    child.once('message', (port) => resolve({ port, process: child }))
  })
}

function percent(ratio) {
  return `${(100 * ratio).toFixed(1)} %`.padStart(7)
}

/**
 * The CPU time that a server has used, in microseconds. Unlike its rate, it does not depend on the machine's other
 * load.
 */
function cpu(child) {
  return new Promise((resolve) => {
    child.once('message', ({ user, system }) => resolve(user + system))
    child.send('cpu')
  })
}

function median(numbers) {
  return [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)]
}
