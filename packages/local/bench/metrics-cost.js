// Measures the cost of CloudWatch metrics per request. Engines without metrics, with metrics, and with Contributor
// Insights run alternately in one process, so that other load of the machine affects all of them.
//
//   node packages/local/bench/metrics-cost.js [--rounds 15] [--write docs/metrics.md]
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { SystemClock, SystemRandom } from '@isotherm/runtime'
import { Engine } from '../dist/engine/engine.js'
import { MemoryStorage } from '../dist/storage/memory-storage.js'

const REQUESTS = 20_000
const KEYS = 10_000
const REGION = 'us-east-1'
const KINDS = ['none', 'figures', 'insights']
const OPERATIONS = ['GetItem', 'PutItem']

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '15' }, write: { type: 'string' } },
})
const rounds = Number(values.rounds)

const keyOf = (number) => ({ pk: { S: `customer-${number % KEYS}` }, sk: { S: 'profile' } })
const INPUTS = {
  GetItem: (number) => ({ TableName: 'things', Key: keyOf(number) }),
  PutItem: (number) => ({ TableName: 'things', Item: { ...keyOf(number), text: { S: 'x'.repeat(200) } } }),
}

function engineWith(kind) {
  const engine = new Engine({
    storage: new MemoryStorage(),
    clock: new SystemClock(),
    random: new SystemRandom(),
    stopwatch: new SystemClock(),
    capacity: {},
    throttle: false,
    onPartitionEvent: () => {},
    ...(kind === 'none' ? { metrics: false } : {}),
  })
  const ask = (operation, input) => engine.execute(operation, input, REGION)
  ask('CreateTable', {
    TableName: 'things',
    AttributeDefinitions: ['pk', 'sk'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    BillingMode: 'PAY_PER_REQUEST',
  })
  if (kind === 'insights') {
    ask('UpdateContributorInsights', { TableName: 'things', ContributorInsightsAction: 'ENABLE' })
  }
  return ask
}

function microsecondsEach(ask, operation) {
  const inputs = Array.from({ length: REQUESTS }, (_, number) => INPUTS[operation](number * 7919))
  const from = performance.now()
  for (const input of inputs) ask(operation, input)
  return (1000 * (performance.now() - from)) / REQUESTS
}

const engines = new Map(KINDS.map((kind) => [kind, engineWith(kind)]))
const taken = new Map(KINDS.flatMap((kind) => OPERATIONS.map((name) => [`${kind} ${name}`, []])))
// The first rounds are a warm-up of the compiler.
for (let round = -3; round < rounds; round++) {
  for (const operation of [...OPERATIONS].reverse()) {
    for (const [kind, ask] of engines) {
      const each = microsecondsEach(ask, operation)
      if (round >= 0) taken.get(`${kind} ${operation}`).push(each)
    }
  }
}

/** The fastest rounds are those with the least other load on the machine. */
const typical = (kind, operation) => {
  const sorted = taken.get(`${kind} ${operation}`).sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 4)]
}
const rows = OPERATIONS.map((operation) => {
  const [none, figures, insights] = KINDS.map((kind) => typical(kind, operation))
  const shown = [none, figures, insights].map((each) => `${each.toFixed(2)} µs`)
  return `| \`${operation}\` | ${shown.join(' | ')} |`
})
const table = [
  '| a request inside the engine | `metrics: false` | with figures | and Contributor Insights |',
  '|---|---|---|---|',
  ...rows,
  '',
  `The lower quartile of ${rounds} rounds of ${REQUESTS.toLocaleString('en-US')} requests, in turns in one process: Node ${process.versions.node}, ${cpus().length} × ${cpus()[0].model}.`,
].join('\n')
console.log(table)
if (values.write !== undefined) {
  const [begin, end] = ['<!-- metrics-cost: npm run metrics-cost -->', '<!-- /metrics-cost -->']
  const text = readFileSync(values.write, 'utf8')
  const [before, rest] = text.split(begin)
  const after = rest?.split(end)[1]
  if (after === undefined) throw new Error(`${values.write} has no place for the table: ${begin} ... ${end}`)
  writeFileSync(values.write, `${before}${begin}\n\n${table}\n\n${end}${after}`)
}
