import type { Command } from 'commander'
import { wordsOfParser } from '../flags.js'

/** A word that a shell offers, and what it means. */
export interface OfferedWord {
  readonly word: string
  readonly description: string
}

/** A flag of a command. */
interface OfferedFlag extends OfferedWord {
  /** Whether a value follows it. */
  readonly takesValue: boolean
  /** The values that it can have. Empty where it can have any, such as the name of a file. */
  readonly values: readonly string[]
}

/** What may follow a command. */
export interface CommandWords {
  /** The words that lead to it, such as `shards drain`; empty for `isotherm` itself. */
  readonly path: string
  readonly commands: readonly OfferedWord[]
  readonly flags: readonly OfferedFlag[]
}

const HELP: OfferedFlag = { word: '--help', description: 'print this help', takesValue: false, values: [] }
const VERSION: OfferedFlag = { ...HELP, word: '--version', description: 'print the version' }
/** The command that prints the help of another one. */
export const HELP_COMMAND = 'help'

/** What may follow `isotherm`, and each of its commands. */
export function commandWords(commands: readonly Command[]): readonly CommandWords[] {
  return [
    {
      path: '',
      commands: [
        ...commands.map(offered),
        { word: HELP_COMMAND, description: 'print the help of a command' },
      ],
      flags: [HELP, VERSION],
    },
    ...commands.flatMap((command) => wordsOf(command, command.name())),
  ]
}

function wordsOf(command: Command, path: string): readonly CommandWords[] {
  const choices = command.registeredArguments.flatMap(({ argChoices = [], description }) =>
    argChoices.map((word) => ({ word, description })),
  )
  const flags = command.options.flatMap(({ long, description, required, optional, parseArg }) =>
    long
      ? [{ word: long, description, takesValue: required || optional, values: wordsOfParser(parseArg) }]
      : [],
  )
  return [
    { path, commands: [...command.commands.map(offered), ...choices], flags: [...flags, HELP] },
    ...command.commands.flatMap((inner) => wordsOf(inner, `${path} ${inner.name()}`)),
  ]
}

function offered(command: Command): OfferedWord {
  return { word: command.name(), description: command.description() }
}
