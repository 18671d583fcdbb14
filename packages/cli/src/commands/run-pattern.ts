import type { PatternReport } from '@isotherm/scenarios'
import Table from 'cli-table3'
import { Command } from 'commander'
import pc from 'picocolors'
import { CommandError, EXIT_FAILED, EXIT_OK } from '../command-error.js'
import { grouped } from '../presentation/figures.js'
import { type Terminal, writeLine } from '../terminal.js'

interface PatternFlags {
  readonly seed: string
  readonly json: boolean
}

export interface PatternScenario {
  readonly name: string
  readonly description: string
  readonly run: (settings: { readonly seed: number }) => Promise<PatternReport>
}

/** `isotherm run NAME`: a scenario of a table pattern, on a local engine and virtual time. */
export function runPatternCommand(
  { name, description, run }: PatternScenario,
  { out }: Terminal,
  exit: (code: number) => void,
): Command {
  return new Command(name)
    .description(description)
    .helpOption('-h, --help', 'print this help')
    .option('--seed <number>', 'the same figures for the same number', '1')
    .option('--json', 'print the figures as JSON, in one line', false)
    .action(async ({ seed, json }: PatternFlags) => {
      const number = Number(seed)
      if (!Number.isSafeInteger(number) || number < 0)
        throw new CommandError(`--seed is '${seed}'; it must be a whole number from 0.`)
      const report = await run({ seed: number })
      writeLine(out, json ? JSON.stringify(report) : reportText(report))
      exit(report.isGood ? EXIT_OK : EXIT_FAILED)
    })
}

function reportText({ title, seed, columns, rows }: PatternReport): string {
  const table = new Table({
    head: ['', ...columns.map((column) => pc.bold(column))],
    colAligns: ['left', 'right', 'right'],
    style: { head: [], border: pc.isColorSupported ? ['gray'] : [], compact: true },
  })
  for (const { name, values } of rows) table.push([name, ...values.map(grouped)])
  return `${title}, seed ${seed}\n${table.toString()}`
}
