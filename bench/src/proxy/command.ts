import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { PageSection } from '../page-section.js'
import { type Comparison, compareProxies, withTargets } from './compare-proxies.js'
import { PROXIED_CALLS } from './proxied-calls.js'

const USAGE = `npm run bench -- proxy [--rounds 100] [--calls 20] [--concurrency 1] [--write FILE]

Compares the time of calls through isotherm proxy with a plain pass-through of the same server, and without either.

  --rounds       how often the endpoints take turns (default 100)
  --calls        calls to each endpoint in a round (default 20)
  --concurrency  calls in flight (default 1)
  --write        the page that gets the table`

const MARKS = {
  begin: '<!-- proxy: npm run bench -- proxy --write docs/proxy.md -->',
  end: '<!-- /proxy -->',
}

const HEAD = `| call | server alone, ms | pass-through, ms | proxy, ms | added by the proxy, ms | proxy, 99 of 100 below, ms | processor time of the pass-through, µs | of the proxy, µs |
|---|---:|---:|---:|---:|---:|---:|---:|`

/** Runs the benchmark `proxy`. */
export async function proxy(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string', default: '100' },
      calls: { type: 'string', default: '20' },
      concurrency: { type: 'string', default: '1' },
      write: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return console.log(USAGE)
  const rounds = {
    rounds: amountOf('--rounds', values.rounds),
    calls: amountOf('--calls', values.calls),
    concurrency: amountOf('--concurrency', values.concurrency),
  }
  const page = values.write === undefined ? undefined : new PageSection(values.write, MARKS)
  console.log(HEAD)
  const rows = await withTargets(rounds.concurrency, async (targets) => {
    const found: string[] = []
    for (const call of PROXIED_CALLS) {
      const row = rowOf(call.name, await compareProxies(call, targets, rounds))
      console.log(row)
      found.push(row)
    }
    return found
  })
  const [processor] = cpus()
  const how = `Medians of ${rounds.rounds * rounds.calls} calls, ${rounds.concurrency} in flight, on ${cpus().length} × ${processor?.model.trim()}, Node ${process.versions.node}.`
  console.log(`\n${how}`)
  page?.write([HEAD, ...rows, '', how].join('\n'))
}

function rowOf(name: string, { median, tail, processor }: Comparison): string {
  const milliseconds = [
    median.direct,
    median['pass-through'],
    median.proxy,
    median.proxy - median['pass-through'],
    tail.proxy,
  ]
  const cells = [
    ...milliseconds.map((figure) => figure.toFixed(2)),
    ...[processor['pass-through'], processor.proxy].map((figure) => figure.toFixed(0)),
  ]
  return `| ${[name, ...cells].join(' | ')} |`
}

function amountOf(option: string, text: string): number {
  const amount = Number(text)
  if (Number.isSafeInteger(amount) && amount > 0) return amount
  throw new Error(`${option} is '${text}'. It is a whole number from 1 up, such as 100.`)
}
