import type { RebuildProgress, RebuildReport } from 'isotherm'
import pc from 'picocolors'
import { printable } from '../terminal.js'
import { shown, withBase64 } from './adopt-report.js'
import { counted, grouped, keysWithOwnCounts } from './figures.js'

/** The result of a rebuild as one line of JSON, bytes as base64. */
export function rebuildJson(report: RebuildReport): string {
  return JSON.stringify(withBase64(report))
}

/** What is being read, in one line. */
export function rebuildProgressText({ pass, items, keys }: RebuildProgress): string {
  return pass === 'table'
    ? `${counted(items, 'item', 'items')} read, ${counted(keys, 'key with a count of its', 'keys with a count of their')} own`
    : `counts of ${counted(keys, 'key', 'keys')}: ${counted(items, 'item', 'items')} of a key read`
}

/** How a rebuild ended, in sentences. */
export function rebuildText(report: RebuildReport, isDryRun: boolean): string {
  const { items, keys, unfinished, indexValues, highestCount, unexplained, examples } = report
  return [
    verdictOf(report, isDryRun),
    `${counted(items, 'item was', 'items were')} read. ${keysWithOwnCounts(keys)}, the highest is ${grouped(highestCount)}.`,
    ...(indexValues > 0
      ? [
          `${counted(indexValues, 'value of an index has a count of its', 'values of indexes have a count of their')} own.`,
        ]
      : []),
    ...(unfinished > 0
      ? [
          `${counted(unfinished, 'key is in a change of its', 'keys are in a change of their')} count, which the application completes.`,
        ]
      : []),
    ...(unexplained > 0
      ? [
          `${counted(unexplained, 'item is in a shard where no count of its key puts it', 'items are in shards where no count of their key puts them')}:`,
          ...examples.map(({ storedKey, sortKey }) => {
            const sort =
              sortKey === undefined ? '' : ` (sort key ${printable(JSON.stringify(withBase64(sortKey)))})`
            return `  ${shown(storedKey)}${sort}`
          }),
          ...(unexplained > examples.length ? [`  and ${grouped(unexplained - examples.length)} more`] : []),
          'Move or delete them, or correct the options, and run the command again.',
        ]
      : []),
  ].join('\n')
}

function verdictOf({ table, shardMap, isRebuilt, unexplained }: RebuildReport, isDryRun: boolean): string {
  const name = `The shard map ${pc.bold(printable(shardMap))} of ${printable(table)}`
  if (isRebuilt) return pc.green(`${name} was rebuilt.`)
  if (isDryRun && unexplained === 0) return pc.green(`${name} can be rebuilt. Nothing was written.`)
  return pc.red(`${name} ${isDryRun ? 'cannot be rebuilt' : 'is not usable yet'}.`)
}
