import { LocalError } from '@isotherm/local'
import { Command, CommanderError } from 'commander'
import { CommandError, EXIT_FAILED, EXIT_INTERRUPTED, EXIT_OK, EXIT_USAGE } from './command-error.js'
import { localCommand } from './commands/local.js'
import { replayCommand } from './commands/replay.js'
import { Interrupted } from './interruption.js'
import { printable, processTerminal, type Terminal, writeLine } from './terminal.js'
import { version } from './version.js'

/**
 * The `isotherm` command.
 *
 * @param args the arguments after the command's name
 * @returns the exit code: 0 for success, 1 for a failure, 2 for wrong usage, 130 when interrupted
 * @example await main(['run', 'hot-file', '--once'])
 */
export async function main(args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> {
  let exitCode = EXIT_OK
  try {
    const program = await createProgram(args, terminal, (code) => {
      exitCode = code
    })
    await program.parseAsync(args, { from: 'user' })
    return exitCode
  } catch (error) {
    return explain(error, terminal)
  }
}

async function createProgram(
  args: readonly string[],
  terminal: Terminal,
  exit: (code: number) => void,
): Promise<Command> {
  const program = new Command('isotherm')
    .description('Keeps every DynamoDB partition at the same temperature.')
    .version(version, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  isotherm run hot-file           a file goes viral: three ways to store its audit log\n' +
        '  isotherm run hot-file --once    the same on fast time, with the same figures everywhere\n' +
        '  isotherm run counter            a campaign on air: one counter, three times what a partition takes\n' +
        '  isotherm run pool               voucher codes, found by their status or by a sparse index\n' +
        '  isotherm run queue              operations that take effect once, while workers end\n' +
        '  isotherm run large              documents in chunks: what readers see when writers end half-way\n' +
        '  isotherm run rotation           a table a month, with wrong clocks and an archive\n' +
        '  isotherm local --port 8000      a local DynamoDB whose partitions throttle\n' +
        '  isotherm replay today.jsonl     recorded requests again, on another design or capacity\n' +
        '  isotherm adopt --check          whether a table can be sharded as it stands\n' +
        '  isotherm shards price           what fewer shards of a key would cost\n' +
        '  isotherm migrate --dry-run      what another initial count of a table would cost\n',
    )
  // Loaded late: scenarios import the client library and the AWS SDK, which the endpoint alone does not need.
  if (args[0] !== 'local' && args[0] !== 'replay') {
    program.addCommand(await runCommand(terminal, exit))
    const { adoptCommand } = await import('./commands/adopt.js')
    program.addCommand(adoptCommand(terminal, exit))
    const { shardsCommand } = await import('./commands/shards.js')
    program.addCommand(shardsCommand(terminal, exit))
    const { migrateCommand } = await import('./commands/migrate.js')
    program.addCommand(migrateCommand(terminal, exit))
  }
  program.addCommand(localCommand(terminal))
  program.addCommand(replayCommand(terminal))
  const commands = program.commands.flatMap((command) => [command, ...command.commands])
  for (const command of [program, ...commands]) tame(command, terminal)
  return program
}

async function runCommand(terminal: Terminal, exit: (code: number) => void): Promise<Command> {
  const { runHotFileCommand } = await import('./commands/run-hot-file.js')
  const { runPatternCommand } = await import('./commands/run-pattern.js')
  const scenarios = await import('@isotherm/scenarios')
  const patterns = [
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
  ]
  const run = new Command('run')
    .description('run a scenario')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', '\nExample:\n  isotherm run hot-file --once\n')
    .addCommand(runHotFileCommand(terminal, exit))
  for (const pattern of patterns) run.addCommand(runPatternCommand(pattern, terminal, exit))
  return run
}

/**
 * Commander prints and exits on its own. Here it throws instead, so that one place decides about output and exit codes.
 */
function tame(command: Command, terminal: Terminal): void {
  command.exitOverride()
  command.configureOutput({
    writeOut: (text) => terminal.out.write(text),
    writeErr: () => {},
  })
  // `isotherm` and `isotherm run` alone print the help.
  if (command.commands.length > 0) {
    command.action(() => {
      const [unknown] = command.args
      const names = command.commands.map((each) => each.name()).join(' or ')
      const problem = unknown === undefined ? 'A command is missing' : `There is no command '${unknown}'`
      throw new CommandError(`${problem}; it must be ${names}. See '${pathOf(command)} --help'.`)
    })
    command.allowExcessArguments()
  }
}

async function explain(error: unknown, terminal: Terminal): Promise<number> {
  if (error instanceof Interrupted) return EXIT_INTERRUPTED
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return EXIT_OK
    say(terminal, `${sentenceOf(error.message)} See --help.`)
    return EXIT_USAGE
  }
  if (error instanceof CommandError) {
    say(terminal, error.message)
    return error.exitCode
  }
  if (error instanceof LocalError) {
    say(terminal, error.message)
    return error.code === 'endpoint.option' || error.code === 'replay.design' ? EXIT_USAGE : EXIT_FAILED
  }
  const { ScenarioError } = await import('@isotherm/scenarios')
  if (error instanceof ScenarioError) {
    say(terminal, error.message)
    return /^(workload|sharding)\./.test(error.code) ? EXIT_USAGE : EXIT_FAILED
  }
  say(terminal, `Unexpected: ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`)
  return EXIT_FAILED
}

function say(terminal: Terminal, message: string): void {
  writeLine(terminal.err, `isotherm: ${printable(message)}`)
}

/** Commander's `error: unknown option '--x'`, possibly with a suggestion on a second line, as one sentence. */
function sentenceOf(message: string): string {
  const [first = '', suggestion] = message
    .replace(/^error: /, '')
    .replace(/\.$/, '')
    .split('\n')
  const text = first.charAt(0).toUpperCase() + first.slice(1)
  return suggestion === undefined ? `${text}.` : `${text} ${suggestion.replace('Did', 'did')}.`
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`
}
