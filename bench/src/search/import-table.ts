import { type ImportFigures, QUARTERS } from './measure-import.js'

/** Figures of the same import into both designs. */
export interface ComparedImports {
  readonly contacts: number
  readonly contactsPerSecond: number
  readonly plain: ImportFigures
  readonly sharded: ImportFigures
}

/** The refused writes of both imports as Markdown, a row for each quarter. */
export function importTable({ contacts, contactsPerSecond, plain, sharded }: ComparedImports): string {
  const cells = ({ throttles, seconds }: ImportFigures, quarter: number) =>
    `${count(throttles[quarter] ?? 0)} | ${rounded(seconds[quarter] ?? 0)}`
  const all = ({ throttles, seconds }: ImportFigures) => `${count(sum(throttles))} | ${rounded(sum(seconds))}`
  return [
    `| ${count(contacts)} contacts, ${count(contactsPerSecond)} a second | not sharded: writes refused | seconds | sharded: writes refused | seconds |`,
    '|---|---:|---:|---:|---:|',
    ...Array.from(
      { length: QUARTERS },
      (_, quarter) => `| quarter ${quarter + 1} | ${cells(plain, quarter)} | ${cells(sharded, quarter)} |`,
    ),
    `| all | ${all(plain)} | ${all(sharded)} |`,
    '',
    `At the end, the list of the tenant had ${sharded.shards} shards.`,
  ].join('\n')
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0)
}

function count(value: number): string {
  return value.toLocaleString('en-US')
}

function rounded(value: number): string {
  return value.toFixed(1)
}
