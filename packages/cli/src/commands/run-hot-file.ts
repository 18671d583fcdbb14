import { Command } from 'commander'
import { addHotFileFlags, type HotFileFlags } from '../hot-file/hot-file-flags.js'
import { runOnEndpoint } from '../hot-file/run-on-endpoint.js'
import { runOnLocal } from '../hot-file/run-on-local.js'
import { runOnce } from '../hot-file/run-once.js'
import type { Terminal } from '../terminal.js'

/** `isotherm run hot-file`: on a local engine and real time, on virtual time, or on any endpoint. */
export function runHotFileCommand(terminal: Terminal, exit: (code: number) => void): Command {
  const command = new Command('hot-file')
    .description(
      'replay a real access log as an audit log; one file goes viral; three ways to store it, side by side',
    )
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  isotherm run hot-file                         on real time; its endpoint stays up until Ctrl-C\n' +
        '  isotherm run hot-file --once --json           on virtual time; prints one line of JSON\n' +
        '  isotherm run hot-file --once --viral-rate 6000 --hold 60\n' +
        '  isotherm run hot-file --endpoint http://127.0.0.1:8001\n',
    )
  addHotFileFlags(command)
  return command.action(async (flags: HotFileFlags) => {
    if (flags.endpoint !== undefined) exit(await runOnEndpoint(flags, flags.endpoint, terminal))
    else if (flags.once) exit(await runOnce(flags, terminal))
    else exit(await runOnLocal(flags, terminal))
  })
}
