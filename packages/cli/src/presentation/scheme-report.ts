import type { HandMadeReport, Misfit } from 'isotherm'
import pc from 'picocolors'
import { printable } from '../terminal.js'
import { shown, withBase64 } from './adopt-report.js'
import { grouped } from './figures.js'

/** A check of a table that was sharded by hand, as one line of JSON, bytes as base64. */
export function schemeJson(report: HandMadeReport): string {
  return JSON.stringify(withBase64(report))
}

/** The result in sentences: the verdict first, then the items that do not fit. */
export function schemeText(report: HandMadeReport): string {
  const { items, found, examples, shards, shardsSeen } = report
  const untold = items - found - examples.length
  return [
    verdictOf(report),
    `${grouped(found)} of ${grouped(items)} sampled items were found where they are, in ${shardsSeen} of ${shards} shards.`,
    ...examples.map((misfit) => `  ${sentenceOf(misfit)}`),
    ...(untold > 0 ? [`  and ${grouped(untold)} more`] : []),
  ].join('\n')
}

function verdictOf({ table, scheme, fits }: HandMadeReport): string {
  const name = `${pc.bold(printable(table))} with the scheme ${printable(scheme)}`
  if (fits === undefined) return pc.yellow(`${name}: there are no items, so nothing was checked.`)
  return fits ? pc.green(`${name} can be adopted.`) : pc.red(`${name} cannot be adopted.`)
}

function sentenceOf({ reason, storedKey, sortKey, expectedKey, message }: Misfit): string {
  const sort =
    sortKey === undefined
      ? ''
      : ` (sort key ${printable(JSON.stringify(withBase64(Object.values(sortKey)[0])))})`
  const item = `${shown(storedKey)}${sort}`
  if (reason === 'no-name') return `${item} is not the name of a shard`
  if (reason === 'other-shard') return `${item} would be looked for in ${shown(expectedKey ?? '')}`
  return `${item}: ${printable(message ?? '')}`
}
