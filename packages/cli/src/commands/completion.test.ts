import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { isotherm } from '../isotherm.fixture.js'
import { closeTerminals, hasScript, PseudoTerminal } from '../pseudo-terminal.fixture.js'

const folder = mkdtempSync(join(tmpdir(), 'isotherm-completion-'))
const bin = join(folder, 'bin')
const configured = join(folder, 'fish', 'completions')
afterEach(closeTerminals)
afterAll(() => rmSync(folder, { recursive: true }))

const TAB = '\t'

/** How each shell is started, with the completion where its help says. */
const SHELLS = {
  bash: 'bash --noprofile --rcfile .bashrc -i',
  zsh: 'zsh -d -i',
  fish: 'fish -i',
} as const
type Shell = keyof typeof SHELLS

/** What is typed before the tab key, and what the line is after it. */
const LINES = [
  ['a command', 'isotherm unsh', 'isotherm unshard'],
  ['a command of a command', 'isotherm shards dr', 'isotherm shards drain'],
  ['a flag', 'isotherm shards drain --dry', 'isotherm shards drain --dry-run'],
  [
    'a flag after the value of another',
    'isotherm proxy --config x.yaml --ups',
    'isotherm proxy --config x.yaml --upstream',
  ],
  ['a flag after an argument', 'isotherm lint x.yaml --fail', 'isotherm lint x.yaml --fail-on'],
  ['a value of a flag', 'isotherm shards show --suffix calc', 'isotherm shards show --suffix calculated'],
  [
    'a value after an equals sign',
    'isotherm shards show --suffix=calc',
    'isotherm shards show --suffix=calculated',
  ],
  ['a value that is a file', 'isotherm proxy --config only', 'isotherm proxy --config only-file.yaml'],
  ['an argument that is a file', 'isotherm lint only', 'isotherm lint only-file.yaml'],
  ['a shell', 'isotherm completion ba', 'isotherm completion bash'],
  ['a command for its help', 'isotherm help shards reb', 'isotherm help shards rebuild'],
] as const

/** Lines of which several words may follow, and some of these. */
const LISTS = [
  ['commands alone', 'isotherm ', ['proxy', 'replay', 'help'], '--help'],
  ['commands of a command alone', 'isotherm shards ', ['create-table', 'rebuild'], 'replay'],
  ['flags', 'isotherm hot --', ['--watch', '--every', '--help'], '--upstream'],
  ['values', 'isotherm export x --table t --format ', ['dynamodb-json', 'jsonl'], '--table'],
] as const

beforeAll(async () => {
  for (const each of [bin, configured]) mkdirSync(each, { recursive: true })
  symlinkSync(fileURLToPath(new URL('../../bin/isotherm.js', import.meta.url)), join(bin, 'isotherm'))
  writeFileSync(join(folder, 'only-file.yaml'), '')
  const script = async (shell: Shell) => (await isotherm('completion', shell)).out
  writeFileSync(join(folder, '.bashrc'), `PS1='> '\n${await script('bash')}`)
  writeFileSync(join(folder, '.zshrc'), `PROMPT='> '\n${await script('zsh')}`)
  writeFileSync(join(configured, 'isotherm.fish'), await script('fish'))
  writeFileSync(
    join(folder, 'fish', 'config.fish'),
    "set -g fish_greeting\nset -g fish_autosuggestion_enabled 0\nfunction fish_prompt; echo '> '; end\n",
  )
})

/** A shell that waits for a line. */
async function started(shell: Shell): Promise<PseudoTerminal> {
  const env = {
    ...process.env,
    PATH: `${bin}:${process.env.PATH}`,
    HOME: folder,
    ZDOTDIR: folder,
    XDG_CONFIG_HOME: folder,
    XDG_DATA_HOME: folder,
    TERM: 'xterm',
  }
  const terminal = new PseudoTerminal(SHELLS[shell], 100, 40, { cwd: folder, env })
  await terminal.screen.until((rows) => rows.some((row) => row.startsWith('>')))
  return terminal
}

for (const shell of Object.keys(SHELLS) as readonly Shell[]) {
  const isInstalled = hasScript && spawnSync(shell, ['--version']).status === 0
  describe.skipIf(!isInstalled)(
    `in ${shell}, the tab key completes (skipped where ${shell} or script is not installed)`,
    () => {
      it.each(LINES)('%s', async (_, typed, completed) => {
        const terminal = await started(shell)
        const { screen } = terminal
        terminal.press(typed + TAB)
        await screen.until((rows) => rows.some((row) => row.startsWith(`> ${completed}`)))
      })

      it.each(LISTS)('%s', async (_, typed, some, no) => {
        const terminal = await started(shell)
        const { screen } = terminal
        terminal.press(`${typed}${TAB}${TAB}`)
        const isOffered = (word: string, rows: readonly string[]) =>
          rows.some((row) => !row.startsWith('>') && row.split(/\s+/).includes(word))
        await screen.until((rows) => some.every((word) => isOffered(word, rows)))
        expect(isOffered(no, screen.rows)).toBe(false)
      })
    },
  )
}

describe('isotherm completion', () => {
  it('names the shells that it knows', async () => {
    const err = "isotherm: The shell is 'csh'; it must be bash or zsh or fish.\n"
    expect(await isotherm('completion', 'csh')).toEqual({ code: 2, out: '', err })
  })
})
