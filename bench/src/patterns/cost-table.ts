import type { OperationCost } from './operation-cost.js'

/** What operations cost, as a table for a page. */
export function costTable(rows: readonly OperationCost[]): string {
  return [
    '| operation | requests | RCU | WCU |',
    '|---|---:|---:|---:|',
    ...rows.map(
      ({ operation, cost: { requests, readUnits, writeUnits } }) =>
        `| ${operation} | ${rounded(requests)} | ${rounded(readUnits)} | ${rounded(writeUnits)} |`,
    ),
  ].join('\n')
}

function rounded(value: number): string {
  return String(Math.round(value * 100) / 100)
}
