import type { DirectoryReport, TableTally } from '@isotherm/local'
import { printable } from '../terminal.js'

/** What a data directory holds and how much of it is damaged, as lines. */
export function directoryLines(report: DirectoryReport): readonly string[] {
  const { directory, tables, damage, damagedParts, rowsWithoutChecksum } = report
  const lines = tables.map(tableLine)
  if (rowsWithoutChecksum > 0) {
    lines.push(
      `${count(rowsWithoutChecksum)} rows are of an older version and have no checksum. They get one when they are written again; --salvage writes all of them again.`,
    )
  }
  if (damagedParts === 0) return [...lines, `The data directory ${directory} is intact.`].map(printable)
  const listed = damage.map(({ what, times }) => `- ${what}${times === 1 ? '' : ` (${count(times)} times)`}`)
  return [...lines, `The data directory ${directory} is damaged:`, ...listed].map(printable)
}

function tableLine({ region, table, index, items, intact }: TableTally): string {
  const name = index === undefined ? `Table ${table} (${region})` : `  index ${index} of ${table}`
  return `${name}: ${intact === items ? count(items) : `${count(intact)} of ${count(items)}`} items intact`
}

function count(value: number): string {
  return value.toLocaleString('en-US')
}
