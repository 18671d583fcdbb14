import type { ContestantKind } from './contestants/contestant.js'
import { LIMIT, percent, shares, whole } from './engine-figures.js'
import { type EngineRecord, type EngineRun, type MachineRecord, median } from './engine-record.js'
import { targetTable } from './engine-targets.js'

/** The tables of a page, of one run. */
export function engineTables(result: EngineRun): string {
  const { contestants, records } = result
  const of = (kind: ContestantKind) => {
    const names = contestants.filter((each) => each.kind === kind).map(({ name }) => name)
    return records.filter(({ contestant, rounds }) => names.includes(contestant) && rounds.length > 0)
  }
  const amounts = [...new Set(records.map(({ connections }) => connections))].sort((a, b) => b - a)
  const withConnections = (amount: number, those: readonly EngineRecord[]) =>
    those.filter(({ connections }) => connections === amount)
  const sections = [
    ...amounts.map((amount) =>
      section(
        `Requests a second over HTTP, ${connectionsOf(amount)}`,
        'the median of the rounds, with the slowest and the fastest',
        withConnections(amount, of('server')),
        rate,
      ),
    ),
    ...amounts.map((amount) =>
      section(
        `Milliseconds of a request, ${connectionsOf(amount)}`,
        'half of the requests are faster; 99 of 100 are faster',
        withConnections(amount, of('server')),
        latency,
      ),
    ),
    ...amounts
      .slice(0, 1)
      .map((amount) =>
        section(
          `Share of ${LIMIT}, ${connectionsOf(amount)}`,
          'by requests a second; by the processor time of a request',
          withConnections(amount, of('server')),
          shareOfLimit,
        ),
      ),
    ...amounts.map((amount) =>
      section(
        `In the process that uses it, ${amount} ${amount === 1 ? 'call' : 'calls'} in flight`,
        'requests a second',
        withConnections(amount, of('in process')),
        rate,
      ),
    ),
    ...amounts.map((amount) =>
      section(
        `Other limits, ${connectionsOf(amount)}`,
        'requests a second',
        withConnections(amount, of('limit')),
        rate,
      ),
    ),
  ]
  const all = [...sections, targetTable(result), notes(result)]
  return all.filter((text) => text !== '').join('\n\n')
}

const connectionsOf = (amount: number) => `${amount} ${amount === 1 ? 'connection' : 'connections'}`

function notes({ run, contestants, records }: EngineRun): string {
  const names = contestants.map((each) =>
    'missing' in each
      ? `- **${each.name} is missing.** ${each.missing}`
      : `- ${each.name}: ${each.about}.${each.megabytes === undefined ? '' : ` ${each.megabytes.toFixed(0)} MB of resident memory with the data.`}`,
  )
  const how = `${run.rounds} ${run.rounds === 1 ? 'round' : 'rounds'} of ${run.seconds} s in turn, ${whole(run.items)} items of 1 KB. ${generator(records)}`
  const failures = records.flatMap(({ contestant, operation, refused }) =>
    refused?.startsWith('it failed') ? [`- ${contestant}, ${operation}: ${refused}`] : [],
  )
  const all = [...names, ...new Set(failures)].join('\n')
  return [all, how, machineNotes(run)].join('\n\n')
}

/** On which machine it was measured, and what else ran there. */
export function machineNotes({ processors, node, loadBefore }: MachineRecord): string {
  return `Measured on ${processors}, Node ${node}. ${busyness(loadBefore)}`
}

/** Below it, nothing else ran. */
const IDLE_LOAD = 0.5

function busyness(load: number): string {
  if (load < IDLE_LOAD) return 'The machine was idle.'
  return `**The machine had other work**: ${load.toFixed(1)} processes wanted a processor before the run. Compare these figures with each other, and not with those of another run.`
}

/** If the generator is busy all the time, it is measured and not the contestant. */
function generator(records: readonly EngineRecord[]): string {
  const busy = records.flatMap(({ rounds }) => rounds.map(({ generatorBusy }) => generatorBusy ?? 0))
  return `The process that sends the requests used at most ${percent(Math.max(0, ...busy))} of a processor in a round.`
}

type Cell = (record: EngineRecord, limit: EngineRecord | undefined) => string

function section(title: string, unit: string, records: readonly EngineRecord[], cell: Cell): string {
  if (records.length === 0) return ''
  const contestants = [...new Set(records.map(({ contestant }) => contestant))]
  const operations = [...new Set(records.map(({ operation }) => operation))]
  const rows = operations.map((operation) => {
    const of = (name: string) =>
      records.find((record) => record.operation === operation && record.contestant === name)
    const cells = contestants.map((name) => {
      const record = of(name)
      return record === undefined ? '-' : cell(record, of(LIMIT))
    })
    return `| ${[operation, ...cells].join(' | ')} |`
  })
  const head = [`| | ${contestants.join(' | ')} |`, `|---|${contestants.map(() => '---:').join('|')}|`]
  return [`**${title}** (${unit})`, '', ...head, ...rows].join('\n')
}

function rate({ rounds }: EngineRecord): string {
  const rates = rounds.map(({ requestsPerSecond }) => requestsPerSecond)
  if (rates.length === 1) return whole(median(rates))
  return `${whole(median(rates))} (${whole(Math.min(...rates))} to ${whole(Math.max(...rates))})`
}

function latency({ rounds }: EngineRecord): string {
  const figures = [median(rounds.map(({ p50 }) => p50)), median(rounds.map(({ p99 }) => p99))]
  return figures.map((figure) => figure.toFixed(figure < 10 ? 2 : 0)).join('; ')
}

function shareOfLimit(record: EngineRecord, limit: EngineRecord | undefined): string {
  const found = shares(record, limit)
  return [found.rate, found.processor].map((share) => (share === undefined ? '-' : percent(share))).join('; ')
}
