import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { SystemClock } from '@isotherm/runtime'
import { Screen } from './screen.fixture.js'

const bin = fileURLToPath(new URL('../bin/isotherm.js', import.meta.url))

/** `script` opens pseudo-terminals. */
export const hasScript = spawnSync('script', ['--version']).status === 0

export const CTRL_C = '\u0003'

const LOOK_MILLISECONDS = 20
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
   * Presses Ctrl-Z. `script` notices after a moment that its command has stopped, and stops itself. A test that goes on before would
   * continue it too early, and nothing would continue it later.
   */
  async suspend(): Promise<void> {
    process.kill(this.#started.pid, 'SIGTSTP')
    while (!this.#processes.every(isStopped)) await new SystemClock().sleep(LOOK_MILLISECONDS)
  }

  /** What the shell does for `fg`. */
  async resume(): Promise<void> {
    while (this.#processes.some(isStopped)) {
      for (const pid of this.#processes) process.kill(pid, 'SIGCONT')
      await new SystemClock().sleep(LOOK_MILLISECONDS)
    }
  }

  /** Closes the window of the terminal. */
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

/** Its state is behind its name, which is in parentheses. */
function isStopped(pid: number): boolean {
  return /\) T /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
}
