import { PATTERNS } from '@isotherm/scenarios'
import { Command } from 'commander'
import type { Terminal } from '../terminal.js'
import { runHotFileCommand } from './run-hot-file.js'
import { runPatternCommand } from './run-pattern.js'

/** `isotherm run`: the scenarios. */
export function runCommand(terminal: Terminal, exit: (code: number) => void): Command {
  const run = new Command('run')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', '\nExample:\n  isotherm run hot-file --once\n')
    .addCommand(runHotFileCommand(terminal, exit))
  for (const pattern of PATTERNS) run.addCommand(runPatternCommand(pattern, terminal, exit))
  return run
}
