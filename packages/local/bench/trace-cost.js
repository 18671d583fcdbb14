// Measures the cost of recording a trace: two engines in this process, one of which records, get the same requests
// alternately.
//
//   node packages/local/bench/trace-cost.js [--rounds 40] [--requests 5000] [--write docs/replay.md]
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { SeededRandom, SystemClock } from '@isotherm/runtime'
import { Engine } from '../dist/engine/engine.js'
import { MemoryStorage } from '../dist/storage/memory-storage.js'
import { TraceFile } from '../dist/trace/trace-file.js'
import { traceHeader } from '../dist/trace/trace-header.js'
import { TraceRecorder } from '../dist/trace/trace-recorder.js'
import { ITEM_BYTES, TABLE } from './load.js'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '40' },
    requests: { type: 'string', default: '5000' },
    write: { type: 'string' },
  },
})
const [rounds, requests] = [Number(values.rounds), Number(values.requests)]
/** The event loop turns as often as it would with requests over sockets. Lines are written at each turn. */
const REQUESTS_PER_TURN = 50
const KEYS = 1000
const REGION = 'us-east-1'

const folder = mkdtempSync(join(tmpdir(), 'isotherm-trace-cost-'))
const path = join(folder, 'trace.jsonl')
const file = new TraceFile(path, (error) => {
  throw error
})
const recorder = new TraceRecorder(file)

function newEngine(observed) {
  const clock = new SystemClock()
  const engine = new Engine({
    storage: new MemoryStorage(),
    clock,
    random: new SeededRandom(1),
    throttle: false,
    onPartitionEvent() {},
    stopwatch: clock,
    ...observed,
  })
  if (observed.onRequest !== undefined) recorder.start(traceHeader(engine, { throttle: false }))
  engine.execute('CreateTable', TABLE, REGION)
  return engine
}

const engines = { off: newEngine({}), on: newEngine({ onRequest: recorder }) }
const key = (number) => ({ id: { S: `key-${number % KEYS}` } })
const data = { S: 'x'.repeat(ITEM_BYTES - 14) }
const asked = {
  PutItem: (number) => ({ TableName: TABLE.TableName, Item: { ...key(number), data } }),
  GetItem: (number) => ({ TableName: TABLE.TableName, Key: key(number) }),
}

/** Microseconds per request, and of processor time, which includes writing to the file. */
async function measure(engine, operation) {
  const input = asked[operation]
  const cpu = process.cpuUsage()
  let wall = 0
  for (let number = 0; number < requests; ) {
    const from = performance.now()
    for (let each = 0; each < REQUESTS_PER_TURN; each++) engine.execute(operation, input(number++), REGION)
    wall += performance.now() - from
    await turn()
  }
  const { user, system } = process.cpuUsage(cpu)
  return { wall: (wall * 1000) / requests, cpu: (user + system) / requests }
}

const median = (figures) => figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)]

const rows = []
for (const operation of ['PutItem', 'GetItem']) {
  const figures = { off: [], on: [] }
  for (let round = -5; round < rounds; round++) {
    for (const [name, engine] of Object.entries(engines)) {
      const figure = await measure(engine, operation)
      // The first rounds are a warm-up.
      if (round >= 0) figures[name].push(figure)
    }
  }
  const of = (name, member) => median(figures[name].map((each) => each[member]))
  const [off, on] = [of('off', 'wall'), of('on', 'wall')]
  const cpu = of('on', 'cpu') - of('off', 'cpu')
  rows.push(
    `| ${operation} | ${off.toFixed(1)} | ${on.toFixed(1)} | ${(on - off).toFixed(1)} | ${cpu.toFixed(1)} |`,
  )
}
await file.close()
const { size } = statSync(path)
rmSync(folder, { recursive: true })

const [{ model }] = cpus()
const text = `| microseconds a request | off | on | more | more processor time, writing included |
|---|---:|---:|---:|---:|
${rows.join('\n')}

In process, items of ${ITEM_BYTES} bytes, ${Math.round(size / 1024 / 1024)} MiB of trace; medians of ${rounds} rounds of
${requests.toLocaleString('en')} requests, in turn, on ${cpus().length} × ${model.trim()}, Node ${process.versions.node}.`
console.log(text)

if (values.write !== undefined) {
  const [begin, end] = ['<!-- trace-cost: npm run bench:trace -->', '<!-- /trace-cost -->']
  const page = readFileSync(values.write, 'utf8')
  const [from, to] = [page.indexOf(begin), page.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`${values.write} must hold ${begin} and, behind it, ${end}.`)
  writeFileSync(values.write, `${page.slice(0, from)}${begin}\n\n${text}\n\n${page.slice(to)}`)
}
