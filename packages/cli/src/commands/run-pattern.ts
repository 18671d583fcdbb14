import { type ComparedWays, type PatternReport, SCALE, SEED } from '@isotherm/scenarios'
import Table from 'cli-table3'
import { Command } from 'commander'
import pc from 'picocolors'
import { EXIT_FAILED, EXIT_OK } from '../command-error.js'
import { addParameters } from '../parameter-flags.js'
import { grouped } from '../presentation/figures.js'
import { type Terminal, writeLine } from '../terminal.js'

interface PatternFlags {
  readonly seed: number
  readonly scale: number
  readonly json: boolean
}

/** `isotherm run NAME`: a scenario of a table pattern, on a local engine and virtual time. */
export function runPatternCommand(
  { name, description, run }: ComparedWays,
  { out }: Terminal,
  exit: (code: number) => void,
): Command {
  const command = new Command(name).description(description).helpOption('-h, --help', 'print this help')
  return addParameters(command, [SEED, SCALE])
    .option('--json', 'print the figures as JSON, in one line', false)
    .addHelpText(
      'after',
      `\nExamples:\n  isotherm run ${name}\n  isotherm run ${name} --scale 0.1 --seed 7 --json\n`,
    )
    .action(async ({ seed, scale, json }: PatternFlags) => {
      const report = await run({ seed, scale })
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
