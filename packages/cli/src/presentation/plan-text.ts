import { PARTITION_WRITE_UNITS, type Plan, type PlanOption } from '@isotherm/advisor'
import type { Rehearsal, RehearsedRun } from '@isotherm/advisor/rehearsal'
import Table from 'cli-table3'
import pc from 'picocolors'
import { printable } from '../terminal.js'
import { grouped, units } from './figures.js'

const MAX_KEYS = 5

/** A plan as a page: the verdict, the steps, and the figures behind it. */
export function planText(plan: Plan, notes: readonly string[], rehearsal: Rehearsal | undefined): string {
  const { verdict, because, steps, code } = plan
  const heading =
    verdict === 'shard'
      ? pc.yellow('Shard the table.')
      : plan.reason === 'beyond-quota'
        ? pc.red('More than one table carries.')
        : pc.green('Do not shard.')
  return [
    `${pc.bold(printable(plan.input.table))}: ${pc.bold(heading)}`,
    sentence(because.replace(/^Do not shard( yet)?: /, '')),
    '',
    ...steps.map((step, index) => `${index + 1}. ${step}`),
    '',
    pc.bold('Figures'),
    figuresOf(plan),
    ...(plan.options.length === 0 ? [] : ['', pc.bold('Partitions and shards'), optionsOf(plan)]),
    '',
    pc.bold(
      `Price of a month, US dollars (${plan.prices.unsharded.region}, list prices of ${plan.prices.unsharded.date})`,
    ),
    pricesOf(plan),
    ...(rehearsal === undefined ? [] : ['', pc.bold(rehearsalTitle(rehearsal)), rehearsedText(rehearsal)]),
    ...(code === undefined
      ? []
      : [
          '',
          pc.bold('Options of the library'),
          ...code
            .trimEnd()
            .split('\n')
            .map((line) => `  ${line}`),
        ]),
    ...notes.map((note) => pc.dim(note)),
  ].join('\n')
}

function figuresOf({ item, peak, mean, partitions, keys, input }: Plan): string {
  return columns([
    [
      'item',
      `${grouped(item.bytes)} bytes: ${item.writeUnits} write units; a page of ${input.pageItems}: ${item.pageReadUnits} read units`,
    ],
    ['peak', `${grouped(peak.writeUnits)} write and ${grouped(peak.readUnits)} read units a second`],
    ['mean', `${units(mean.writeUnits)} write and ${units(mean.readUnits)} read units a second`],
    [
      'partitions',
      `${partitions.needed} needed (${partitions.byThroughput} for throughput, ${partitions.bySize} for size; ${partitions.byOldFormula} by the old formula), ${partitions.now} there`,
    ],
    ...keys
      .slice(0, MAX_KEYS)
      .map((key, index): readonly [string, string] => [
        index === 0 ? 'hottest keys' : '',
        `${printable(key.key ?? 'the hottest')}: ${grouped(key.writeUnits)} write units (${perCent(key.writeShare)} of all, ${perCent(key.ofPartitionWrites)} of a partition), ${grouped(key.readUnits)} read units (${perCent(key.ofPartitionReads)} of a partition)`,
      ]),
  ])
}

function optionsOf({ options, chosen, item }: Plan): string {
  const table = new Table({
    head: ['', 'partitions', 'shards', 'odds', 'shards meet', 'RCU a page', 'warm writes'],
    colAligns: ['left', 'right', 'right', 'right', 'right', 'right', 'right'],
    style: { head: [], border: pc.isColorSupported ? ['gray'] : [], compact: true },
  })
  for (const option of options) {
    table.push([
      option === chosen ? pc.bold('take') : '',
      grouped(option.partitions),
      shardsOf(option),
      odds(option.odds),
      odds(option.meetOdds),
      `${units(option.pageReadUnits)} (${units(option.pageReadUnits / item.pageReadUnits)} x)`,
      grouped(option.warmWriteUnits),
    ])
  }
  return `${table.toString()}\n${pc.dim('odds: that no partition is above its limit less the head-room. shards meet: at least two on one partition.')}`
}

function shardsOf({ shards }: PlanOption): string {
  const [most = 1, ...others] = shards
  return others.length === 0
    ? String(most)
    : `${most} (${others.slice(0, 3).join(', ')}${others.length > 3 ? ', ...' : ''})`
}

function pricesOf({ prices: { unsharded, sharded } }: Plan): string {
  const table = new Table({
    head: ['', 'without shards', ...(sharded === undefined ? [] : ['with shards'])],
    colAligns: ['left', 'right', 'right'],
    style: { head: [], border: pc.isColorSupported ? ['gray'] : [], compact: true },
  })
  const row = (name: string, member: 'onDemand' | 'provisionedForPeak' | 'provisionedAutoScaled') =>
    table.push([
      name,
      dollars(unsharded[member]),
      ...(sharded === undefined ? [] : [dollars(sharded[member])]),
    ])
  row('on demand', 'onDemand')
  row('provisioned for the peak', 'provisionedForPeak')
  row('provisioned, scaled to the mean', 'provisionedAutoScaled')
  return table.toString()
}

function rehearsalTitle({ seconds, seed, planned, unsharded }: Rehearsal): string {
  const draws = (planned ?? unsharded).draws
  return `Rehearsal on the local engine: the peak for ${seconds} s, ${draws} times with other key names, seed ${seed}`
}

function rehearsedText({ unsharded, planned }: Rehearsal): string {
  const runs = [unsharded, ...(planned === undefined ? [] : [planned])]
  const table = new Table({
    head: ['', 'one key', ...(planned === undefined ? [] : ['as planned'])],
    colAligns: ['left', 'right', 'right'],
    style: { head: [], border: pc.isColorSupported ? ['gray'] : [], compact: true },
  })
  const row = (name: string, figure: (run: RehearsedRun) => string) => table.push([name, ...runs.map(figure)])
  row('shards', ({ shards }) => shards.slice(0, MAX_KEYS).join(', '))
  row('partitions', ({ partitions }) => grouped(partitions))
  row('writes offered a second', ({ offeredPerSecond }) => grouped(offeredPerSecond))
  row('accepted', ({ acceptedPerSecond }) => grouped(acceptedPerSecond))
  row('throttled', ({ throttledShare }) => pc.bold(perCent(throttledShare)))
  row('throttled, worst draw', ({ worstThrottledShare }) => perCent(worstThrottledShare))
  row('draws without throttles', ({ cleanDraws, draws }) => `${cleanDraws} of ${draws}`)
  row(
    'hottest partition',
    ({ hottestPartition }) => `${perCent(hottestPartition.median)}, worst ${perCent(hottestPartition.worst)}`,
  )
  return `${table.toString()}\n${pc.dim(`hottest partition: its part of ${grouped(PARTITION_WRITE_UNITS)} write units a second.`)}`
}

/** Two columns without lines. */
function columns(rows: readonly (readonly [name: string, text: string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, text]) => `  ${pc.dim(name.padEnd(width))}  ${text}`).join('\n')
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function odds(value: number): string {
  return value >= 0.9995 && value < 1 ? '> 99.9 %' : `${(value * 100).toFixed(1)} %`
}

function perCent(share: number): string {
  return `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`
}

function dollars(value: number): string {
  return value.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
}
