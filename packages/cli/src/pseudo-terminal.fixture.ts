import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { SystemClock } from '@isotherm/runtime'
import { Screen } from './screen.fixture.js'

const bin = fileURLToPath(new URL('../bin/isotherm.js', import.meta.url))

/** `script` opens pseudo-terminals. */
export const hasScript = spawnSync('script', ['--version']).status === 0

export const CTRL_C = '\u0003'

const LOOK_MILLISECONDS = 20
/** Longer than any command of a test takes to end. */
const MAX_LOOKS_AFTER_CLOSING = 1_000
const open = new Set<PseudoTerminal>()

/** The built command. */
export const ISOTHERM = `${process.execPath} ${bin}`

/** A command in a pseudo-terminal, and the screen that its user sees. */
export class PseudoTerminal {
  readonly screen: Screen
  /** The exit code. */
  readonly ended: Promise<number | null>
  readonly #child: ChildProcess
  #text = ''

  /** @param command as in a shell */
  constructor(command: string, columns = 80, rows = 24, options: SpawnOptions = {}) {
    this.screen = new Screen(columns, rows)
    // The first line says which terminal it is, and which process.
    const line = `stty cols ${columns} rows ${rows}; echo "$(tty) $$"; exec ${command}`
    this.#child = spawn('script', ['--quiet', '--return', '--flush', '--command', line, '/dev/null'], options)
    this.#child.stdout?.setEncoding('utf8').on('data', (data: string) => {
      const begun = this.#begun
      this.#text += data
      this.screen.write(begun === undefined ? this.text : data)
    })
    this.ended = new Promise((resolve) => {
      // All that it has written is on the screen then.
      this.#child.on('close', (code) => this.screen.write('').then(() => resolve(code)))
    })
    open.add(this)
    this.ended.then(() => open.delete(this))
  }

  /** All that the command has written. */
  get text(): string {
    return this.#begun === undefined ? '' : this.#text.slice(this.#text.indexOf('\n') + 1)
  }

  press(keys: string): void {
    this.#child.stdin?.write(keys)
  }

  /** First the terminal changes what it shows, then the command is sent a signal. */
  resize(columns: number, rows: number): void {
    this.screen.resize(columns, rows)
    spawnSync('stty', ['-F', this.#started.device, 'cols', `${columns}`, 'rows', `${rows}`])
  }

  /**
   * Presses Ctrl-Z. `script` notices after a moment that its command has stopped, and stops itself. A test that does not wait would
   * continue it too early, and nothing would continue it later.
   */
  async suspend(): Promise<void> {
    process.kill(this.#started.pid, 'SIGTSTP')
    while (!this.#processes.every(isStopped)) await new SystemClock().sleep(LOOK_MILLISECONDS)
  }

  /**
   * What the shell does for `fg`, again until the screen shows that the command has continued: `script` may notice only then that its command
   * had stopped, and stops itself once more.
   */
  async resume(goesOn: () => boolean): Promise<void> {
    let isOver = false
    const shown = this.screen.until(goesOn).finally(() => {
      isOver = true
    })
    const continued = async () => {
      while (!isOver) {
        for (const pid of this.#processes) if (isStopped(pid)) process.kill(pid, 'SIGCONT')
        await new SystemClock().sleep(LOOK_MILLISECONDS)
      }
    }
    await Promise.all([shown, continued()])
  }

  /** Closes the window as its user does: the command gets SIGHUP, and can write no more. Resolves when it has ended. */
  async hangUp(): Promise<void> {
    const { pid } = this.#started
    this.#child.kill('SIGKILL')
    for (let look = 0; look < MAX_LOOKS_AFTER_CLOSING; look++) {
      if (!isRunning(pid)) return
      await new SystemClock().sleep(LOOK_MILLISECONDS)
    }
    process.kill(pid, 'SIGKILL')
    throw new Error('The command goes on although its terminal is closed.')
  }

  /** Ends the command and its terminal. */
  async close(): Promise<void> {
    if (this.#begun !== undefined && this.#child.exitCode === null) process.kill(this.#begun.pid, 'SIGKILL')
    this.#child.kill('SIGKILL')
    await this.ended
  }

  /** `script` and its command. */
  get #processes(): readonly number[] {
    const { pid: script } = this.#child
    return script === undefined ? [] : [script, this.#started.pid]
  }

  get #started() {
    if (this.#begun === undefined) throw new Error('The command has not begun.')
    return this.#begun
  }

  get #begun(): { readonly device: string; readonly pid: number } | undefined {
    const [, device = '', pid] = /^(\S+) (\d+)\r?\n/.exec(this.#text) ?? []
    return pid === undefined ? undefined : { device, pid: Number(pid) }
  }
}

/** Closes all that a test has left open. */
export async function closeTerminals(): Promise<void> {
  await Promise.all([...open].map((terminal) => terminal.close()))
}

function isStopped(pid: number): boolean {
  return isRunning(pid) && stateOf(pid) === 'T'
}

/** A process that has ended stays as a zombie until its parent has noticed it. */
function isRunning(pid: number): boolean {
  return existsSync(`/proc/${pid}/stat`) && stateOf(pid) !== 'Z'
}

/** It is behind the name of the process, which is in parentheses. */
function stateOf(pid: number): string | undefined {
  return /\) (\w) /.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]
}
