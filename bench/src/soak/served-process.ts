import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { processorTime } from '../engine/processor-time.js'

const COMMAND = fileURLToPath(new URL('../../../packages/cli/bin/isotherm.js', import.meta.url))

interface HeapLimit {
  readonly heapMegabytes?: number
}

type ServingChild = ChildProcessByStdio<null, Readable, null>

/** A command of `isotherm` that serves an endpoint, in a process that the soak may kill and start again. */
export class ServedProcess {
  readonly #command: readonly string[]
  readonly #limits: HeapLimit
  #child: ServingChild
  readonly url: string

  private constructor(command: readonly string[], child: ServingChild, url: string, limits: HeapLimit) {
    this.#command = command
    this.#limits = limits
    this.#child = child
    this.url = url
  }

  /**
   * @param command the command and its flags, without `--port` and `--json`
   * @param limits `heapMegabytes`: how large the heap of the process may become before Node ends it
   */
  static async start(command: readonly string[], limits: HeapLimit = {}): Promise<ServedProcess> {
    const { child, url } = await served([...command, '--port', '0'], limits)
    return new ServedProcess([...command, '--port', new URL(url).port], child, url, limits)
  }

  /** Kills the process without warning, and starts it again at the same address. */
  async killAndRestart(): Promise<void> {
    await this.#end('SIGKILL')
    this.#child = (await served(this.#command, this.#limits)).child
  }

  stop(): Promise<void> {
    return this.#end('SIGTERM')
  }

  /**
   * Megabytes of the process without the pages of files that it maps, because the system drops those when it needs the room.
   * `undefined` on systems without `/proc`.
   */
  memory(): number | undefined {
    try {
      const status = readFileSync(`/proc/${this.#child.pid}/status`, 'utf8')
      const kilobytes = /^RssAnon:\s+(\d+) kB/m.exec(status)?.[1]
      return kilobytes === undefined ? undefined : Number(kilobytes) / 1_024
    } catch {
      return undefined
    }
  }

  /** What this process has used, in microseconds. A new process begins at 0. `undefined` on systems without `/proc`. */
  processorTime(): number | undefined {
    return processorTime(this.#child.pid ?? 0)
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const exit = once(this.#child, 'exit')
    if (this.#child.kill(signal)) await exit
  }
}

/** Starts a command and waits for its first line, which names its address. @throws Error if it ends before */
function served(
  command: readonly string[],
  { heapMegabytes }: HeapLimit,
): Promise<{ readonly child: ServingChild; readonly url: string }> {
  const flags = heapMegabytes === undefined ? [] : [`--max-old-space-size=${heapMegabytes}`]
  const child = spawn(process.execPath, [...flags, COMMAND, ...command, '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) =>
      reject(new Error(`isotherm ${command.join(' ')} ended with code ${code} before it served.`))
    child.once('exit', onExit)
    // Later lines are read too, or the process would wait for room in the pipe.
    createInterface(child.stdout).on('line', (line) => {
      const { url } = JSON.parse(line) as { readonly url?: string }
      if (url === undefined) return
      child.off('exit', onExit)
      resolve({ child, url })
    })
  })
}
