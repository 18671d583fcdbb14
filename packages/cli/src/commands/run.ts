import * as scenarios from '@isotherm/scenarios'
import { Command } from 'commander'
import type { Terminal } from '../terminal.js'
import { runHotFileCommand } from './run-hot-file.js'
import { runPatternCommand } from './run-pattern.js'

const PATTERNS = [
  {
    name: 'counter',
    description: 'a campaign on air: one counter with several times what a partition takes',
    run: scenarios.runCounter,
  },
  {
    name: 'pool',
    description:
      'voucher codes registered in bulk and handed out, found by their status or by a sparse index',
    run: scenarios.runPool,
  },
  {
    name: 'queue',
    description: 'operations that change balances, while workers end at any moment',
    run: scenarios.runQueue,
  },
  {
    name: 'large',
    description: 'documents of several chunks, read while writers end in the middle of overwriting them',
    run: scenarios.runLarge,
  },
  {
    name: 'rotation',
    description: 'a log with a table for each month, by writers with wrong clocks; old months are archived',
    run: scenarios.runRotation,
  },
  {
    name: 'search',
    description:
      'contacts of one tenant, imported faster than one partition of the index takes them, then searched',
    run: scenarios.runSearch,
  },
]

/** `isotherm run`: the scenarios. */
export function runCommand(terminal: Terminal, exit: (code: number) => void): Command {
  const run = new Command('run')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', '\nExample:\n  isotherm run hot-file --once\n')
    .addCommand(runHotFileCommand(terminal, exit))
  for (const pattern of PATTERNS) run.addCommand(runPatternCommand(pattern, terminal, exit))
  return run
}
