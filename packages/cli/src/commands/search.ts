import { Command } from 'commander'
import type { Terminal } from '../terminal.js'
import { searchCheckCommand } from './search-check.js'

/** `isotherm search`: directories of isotherm/search. */
export function searchCommand(terminal: Terminal, exit: (code: number) => void): Command {
  return new Command('search')
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  isotherm search check --definition ./contacts.js\n' +
        '  isotherm search check --definition ./contacts.js --repair\n',
    )
    .addCommand(searchCheckCommand(terminal, exit))
}
