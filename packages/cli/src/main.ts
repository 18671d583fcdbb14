import { Command, CommanderError, type Option } from 'commander'
import { CommandError, EXIT_FAILED, EXIT_INTERRUPTED, EXIT_OK, EXIT_USAGE } from './command-error.js'
import { COMMANDS, EXAMPLES } from './commands/command-list.js'
import { Interrupted } from './interruption.js'
import { nearestWord } from './nearest-word.js'
import { printable, processTerminal, type Terminal, writeLine } from './terminal.js'
import { version } from './version.js'

/**
 * The `isotherm` command.
 *
 * @param given the arguments after the command's name
 * @returns the exit code: 0 for success, 1 for a failure, 2 for wrong usage, 130 when interrupted
 * @example await main(['run', 'hot-file', '--once'])
 */
export async function main(
  given: readonly string[],
  terminal: Terminal = processTerminal(),
): Promise<number> {
  const args = asFlag(given)
  let exitCode = EXIT_OK
  try {
    const program = await createProgram(args, terminal, (code) => {
      exitCode = code
    })
    if (given[0] === HELP) requireCommand(program, given.slice(1))
    await program.parseAsync(args, { from: 'user' })
    return exitCode
  } catch (error) {
    return explain(error, terminal)
  }
}

const HELP = 'help'

/** `help shards drain` as `shards drain --help`: the help command of Commander only knows the first word. */
function asFlag(args: readonly string[]): readonly string[] {
  const [first, ...words] = args
  return first === HELP && words.length > 1 ? [...words, '--help'] : args
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
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText('after', `\nExamples:\n${EXAMPLES.map((line) => `  ${line}\n`).join('')}`)
  const asked = args[0] === HELP ? args[1] : args[0]
  for (const { name, description, load } of COMMANDS) {
    // Only the command that is run is loaded: most of them load the AWS SDK.
    const command = name === asked ? await load(terminal, exit) : new Command(name).helpOption(false)
    program.addCommand(command.description(description))
  }
  const commands = program.commands.flatMap((command) => [command, ...command.commands])
  for (const command of [program, ...commands]) tame(command, terminal, args)
  return program
}

/**
 * Commander prints and exits on its own. Here it throws instead, so that one place decides about output and exit codes.
 */
function tame(command: Command, terminal: Terminal, args: readonly string[]): void {
  command.exitOverride((error) => {
    // A required flag that is misspelt is missing, and Commander would say only that.
    if (error.code === 'commander.missingMandatoryOptionValue') requireKnownFlags(command, args)
    if (error.code === 'commander.unknownOption') {
      // Flags of a misspelt command are unknown, and Commander would say only that.
      const [word = '-'] = command.args
      if (command.commands.length > 0 && !word.startsWith('-')) throw noSuchCommand(command, word)
      refuseValuesOfSwitches(command, args)
    }
    throw error
  })
  command.configureOutput({
    writeOut: (text) => terminal.out.write(text),
    writeErr: () => {},
  })
  requireValues(command, args)
  if (command.commands.length > 0) {
    command.action(() => {
      const [unknown] = command.args
      // `isotherm` alone is a question. `isotherm run` alone lacks a word.
      if (unknown === undefined && command.parent === null) return void command.outputHelp()
      throw noSuchCommand(command, unknown)
    })
    command.allowExcessArguments()
  }
}

/**
 * A variable that is not set leaves a flag without its value: Commander takes the next flag for it, which then has no effect. Between
 * quotation marks the value is empty. The code behind the command would name another option than the flag.
 */
function requireValues(command: Command, args: readonly string[]): void {
  for (const option of command.options.filter(({ required }) => required)) {
    command.on(`option:${option.name()}`, (value: unknown) => {
      if (value === '') throw emptyValue(option)
      if (typeof value !== 'string' || !/^--[a-z]/.test(value) || args.includes(`${option.long}=${value}`))
        return
      const cure = `If that is the value, write ${option.long}=${value}.`
      throw new CommandError(`${option.long} has no value; the next word is the flag ${value}. ${cure}`)
    })
  }
}

function emptyValue({ long, flags, mandatory }: Option): CommandError {
  const cure = mandatory ? `Write ${flags}.` : `Write ${flags}, or leave ${long} out.`
  return new CommandError(`${long} is ''; it must not be empty. ${cure}`)
}

/** @throws CommandError for a flag that the command does not have */
function requireKnownFlags(command: Command, args: readonly string[]): void {
  const known = command.options.flatMap(({ long }) => (long ? [long] : []))
  for (const arg of args) {
    const [flag = ''] = arg.split('=')
    if (!/^--[a-z]/.test(flag) || known.includes(flag)) continue
    const meant = nearestWord(flag, known) ?? flagOfValue(command, flag.slice(2))
    const cure = meant === undefined ? '.' : ` (did you mean ${meant}?).`
    throw new CommandError(`Unknown option '${flag}'${cure} See --help.`)
  }
}

/** The only flag whose value has the name: `--to` for `--to <shards>`. */
function flagOfValue(command: Command, name: string): string | undefined {
  const [only, ...more] = command.options.filter(({ flags }) => flags.endsWith(`<${name}>`))
  return more.length === 0 ? only?.long : undefined
}

/** Commander calls `--json=1` an unknown option. @throws CommandError for a flag that has a value and takes none */
function refuseValuesOfSwitches(command: Command, args: readonly string[]): void {
  for (const { long, required, optional } of command.options) {
    if (long === undefined || required || optional || !args.some((arg) => arg.startsWith(`${long}=`)))
      continue
    throw new CommandError(`${long} takes no value. Write ${long}, or leave it out.`)
  }
}

/** Commander prints the help of the last command that it knows. @throws CommandError for a word that is no command */
function requireCommand(program: Command, words: readonly string[]): void {
  let command = program
  for (const word of words) {
    const next = command.commands.find((each) => each.name() === word)
    if (next === undefined && command.commands.length > 0 && !word.startsWith('-'))
      throw noSuchCommand(command, word)
    if (next === undefined) return
    command = next
  }
}

function noSuchCommand(command: Command, unknown: string | undefined): CommandError {
  const names = command.commands.map((each) => each.name())
  const known = command.parent === null ? [...names, HELP] : names
  const meant = unknown === undefined ? undefined : nearestWord(unknown, known)
  const problem = unknown === undefined ? 'A command is missing' : `There is no command '${unknown}'`
  const cure = meant === undefined ? `it must be ${names.join(' or ')}.` : `did you mean '${meant}'?`
  return new CommandError(`${problem}; ${cure} See '${pathOf(command)} --help'.`)
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
  const { LocalError } = await import('@isotherm/local')
  if (error instanceof LocalError) {
    say(terminal, error.message)
    return error.code === 'options.invalid' || error.code === 'replay.design' ? EXIT_USAGE : EXIT_FAILED
  }
  const { ProxyError } = await import('@isotherm/proxy')
  if (error instanceof ProxyError) {
    say(terminal, error.message)
    return error.code.startsWith('config.') ? EXIT_USAGE : EXIT_FAILED
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
