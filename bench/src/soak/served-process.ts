import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { processorTime } from '../engine/processor-time.js'
import { InspectedHeap } from './inspected-heap.js'

const COMMAND = fileURLToPath(new URL('../../../packages/cli/bin/isotherm.js', import.meta.url))

interface HeapOptions {
  /** How large the heap of the process may become before Node ends it. */
  readonly heapMegabytes?: number
  /** Whether {@link ServedProcess.heap} can be asked. */
  readonly isInspected?: boolean
}

/** What Node prints first of all where it is to listen for an inspector. */
const INSPECTOR = /^Debugger listening on (ws:\S+)$/

type ServingChild = ChildProcessByStdio<null, Readable, Readable>

/** A command of `isotherm` that serves an endpoint, in a process that the soak may kill and start again. */
export class ServedProcess {
  readonly #command: readonly string[]
  readonly #options: HeapOptions
  #child: ServingChild
  #inspector: string | undefined
  readonly url: string

  private constructor(command: readonly string[], { child, url, inspector }: Served, options: HeapOptions) {
    this.#command = command
    this.#options = options
    this.#child = child
    this.#inspector = inspector
    this.url = url
  }

  /** @param command the command and its flags, without `--port` and `--json` */
  static async start(command: readonly string[], options: HeapOptions = {}): Promise<ServedProcess> {
    const process = await served([...command, '--port', '0'], options)
    return new ServedProcess([...command, '--port', new URL(process.url).port], process, options)
  }

  /** Kills the process without warning, and starts it again at the same address. */
  async killAndRestart(): Promise<void> {
    await this.#end('SIGKILL')
    const { child, inspector } = await served(this.#command, this.#options)
    this.#child = child
    this.#inspector = inspector
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

  /** The heap of the process as it runs now. @throws Error unless it was started with `isInspected` */
  heap(): Promise<InspectedHeap> {
    if (this.#inspector === undefined) throw new Error('The process was started without isInspected.')
    return InspectedHeap.of(this.#inspector)
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

interface Served {
  readonly child: ServingChild
  readonly url: string
  readonly inspector: string | undefined
}

/** Starts a command and waits for its first line, which names its address. @throws Error if it ends before */
function served(command: readonly string[], { heapMegabytes, isInspected }: HeapOptions): Promise<Served> {
  const flags = [
    ...(heapMegabytes === undefined ? [] : [`--max-old-space-size=${heapMegabytes}`]),
    ...(isInspected === true ? ['--inspect=127.0.0.1:0'] : []),
  ]
  const child = spawn(process.execPath, [...flags, COMMAND, ...command, '--json'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return new Promise((resolve, reject) => {
    let url: string | undefined
    let inspector: string | undefined
    // The two addresses come through two pipes, in any order.
    const onAddress = () => {
      if (url === undefined || (isInspected === true && inspector === undefined)) return
      child.off('exit', onExit)
      resolve({ child, url, inspector })
    }
    createInterface(child.stderr).on('line', (line) => {
      const [, address] = INSPECTOR.exec(line) ?? []
      if (address === undefined) {
        process.stderr.write(`${line}\n`)
        return
      }
      inspector = address
      onAddress()
    })
    const onExit = (code: number | null) =>
      reject(new Error(`isotherm ${command.join(' ')} ended with code ${code} before it served.`))
    child.once('exit', onExit)
    // Later lines are read too, or the process would wait for room in the pipe.
    createInterface(child.stdout).on('line', (line) => {
      const said = JSON.parse(line) as { readonly url?: string }
      if (said.url === undefined) return
      url = said.url
      onAddress()
    })
  })
}
