import { Writable } from 'node:stream'
import { Command, CommanderError } from 'commander'
import { describe, expect, it } from 'vitest'
import { COMMANDS } from './commands/command-list.js'
import { isotherm } from './isotherm.fixture.js'

/** The path of a command, such as `['shards', 'drain']`. */
type Path = readonly string[]

/** Commands whose output is no report: a script. */
const WITHOUT_JSON: ReadonlySet<string> = new Set(['completion'])

const out = new Writable({ write: (_chunk, _encoding, done) => done() })

/** All commands, with actions that do nothing. */
async function parser(): Promise<Command> {
  const program = new Command('isotherm')
  for (const { load } of COMMANDS) {
    program.addCommand(await load({ out, err: out, display: undefined }, () => undefined))
  }
  const tamed = (command: Command): void => {
    command.exitOverride().configureOutput({ writeOut: () => undefined, writeErr: () => undefined })
    if (command.commands.length === 0) command.action(() => undefined)
    for (const inner of command.commands) tamed(inner)
  }
  tamed(program)
  return program
}

function leavesOf(command: Command, path: Path = []): readonly { command: Command; path: Path }[] {
  if (command.commands.length === 0) return [{ command, path }]
  return command.commands.flatMap((inner) => leavesOf(inner, [...path, inner.name()]))
}

/** The examples of a help text, without what the shell does with the output, and without what is said of them. */
function examplesIn(help: string): readonly string[] {
  const [, examples = ''] = help.split(/\nExamples?:\n/)
  return [...examples.matchAll(/^ {2}isotherm (.*?)(?: {2,}.*| >.*| \| .*)?$/gm)].map(
    ([, words = '']) => words,
  )
}

const program = await parser()
const leaves = leavesOf(program)

describe.each(leaves.map(({ command, path }) => ({ name: path.join(' '), path, command })))(
  'the help of isotherm $name',
  ({ name, path, command }) => {
    it('has an example of this command', async () => {
      const { code, out } = await isotherm(...path, '--help')
      expect(code).toBe(0)
      expect(examplesIn(out).filter((words) => words === name || words.startsWith(`${name} `))).not.toEqual(
        [],
      )
    })

    it.skipIf(WITHOUT_JSON.has(name))('has --json', () => {
      expect(command.options.map(({ long }) => long)).toContain('--json')
    })
  },
)

describe.each([[[]], ...COMMANDS.map(({ name }) => [[name]]), ...leaves.map(({ path }) => [path])])(
  'the help of isotherm %j',
  (path) => {
    it('has examples that run as they stand', async () => {
      const { out } = await isotherm(...path, '--help')
      for (const words of examplesIn(out)) {
        const args = words.split(/\s+/).map((word) => word.replace(/^'(.*)'$/, '$1'))
        const parsed = (await parser()).parseAsync(args, { from: 'user' })
        // Help that is asked for ends with an error of code 0.
        const exitCode = await parsed.then(
          () => 0,
          (error: unknown) => (error instanceof CommanderError ? error.exitCode : 1),
        )
        expect({ words, exitCode }).toEqual({ words, exitCode: 0 })
      }
    })
  },
)

it('names every command in an example of the first page', async () => {
  const { out } = await isotherm('--help')
  const shown = new Set(examplesIn(out).map((words) => words.split(' ')[0]))
  expect(COMMANDS.map(({ name }) => name).filter((name) => !shown.has(name))).toEqual([])
})
