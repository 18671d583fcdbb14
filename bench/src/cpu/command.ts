import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { PageSection } from '../page-section.js'
import { type Comparison, compareCall, withCannedService } from './compare-calls.js'
import { COMPARED_CALLS } from './compared-calls.js'

const USAGE = `npm run bench -- cpu [--only TEXT,...] [--rounds 40] [--calls 100] [--stub] [--write FILE]

Compares the processor time of calls on settled keys, with the library and with the SDK alone.

  --only    calls whose name, or name and suffix, begins with one of the texts, such as 'put random,query'
  --rounds  how often the two processes take turns (default 40)
  --calls   calls of each process in a round (default 100)
  --stub    answers below the SDK's HTTP client, which makes the plain calls cheaper
  --write   the page that gets the table`

const MARKS = {
  begin: '<!-- cpu: npm run bench -- cpu --write docs/processor-time.md -->',
  end: '<!-- /cpu -->',
}

const HEAD = `| call | suffix | shards | SDK, µs | with the library, µs | ratio of these | median ratio of the rounds | middle half of them |
|---|---|---:|---:|---:|---:|---:|---:|`

/** Runs the benchmark `cpu`. */
export async function cpu(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', default: '' },
      rounds: { type: 'string', default: '40' },
      calls: { type: 'string', default: '100' },
      stub: { type: 'boolean', default: false },
      write: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return console.log(USAGE)
  const rounds = { rounds: amountOf('--rounds', values.rounds), calls: amountOf('--calls', values.calls) }
  const page = values.write === undefined ? undefined : new PageSection(values.write, MARKS)
  console.log(HEAD)
  const rows = await withCannedService(async (http) => {
    const found: string[] = []
    for (const [index, { name, suffix }] of COMPARED_CALLS.entries()) {
      if (!values.only.split(',').some((text) => `${name} ${suffix}`.startsWith(text))) continue
      const row = rowOf(await compareCall(index, values.stub ? 'stub' : http, rounds))
      console.log(row)
      found.push(row)
    }
    return found
  })
  const [processor] = cpus()
  const how = `${rounds.rounds} rounds of ${rounds.calls} calls by each process, ten calls at a time, on ${cpus().length} × ${processor?.model.trim()}, Node ${process.versions.node}.`
  console.log(`\n${how}`)
  page?.write([HEAD, ...rows, '', how].join('\n'))
}

function rowOf(comparison: Comparison): string {
  const { call, plainMicroseconds, shardedMicroseconds, ratio, quartiles } = comparison
  const cells = [
    call.name,
    call.suffix,
    call.shards,
    plainMicroseconds.toFixed(0),
    shardedMicroseconds.toFixed(0),
    (shardedMicroseconds / plainMicroseconds).toFixed(2),
    ratio.toFixed(2),
    quartiles.map((quartile) => quartile.toFixed(2)).join(' to '),
  ]
  return `| ${cells.join(' | ')} |`
}

function amountOf(option: string, text: string): number {
  const amount = Number(text)
  if (Number.isSafeInteger(amount) && amount > 0) return amount
  throw new Error(`${option} is '${text}'. It is a whole number from 1 up, such as 100.`)
}
