import { once } from 'node:events'
import { WebSocket } from 'undici'

/** Counts what is reachable, in the inspected process: its objects, and the buffers outside V8's heap that they hold. */
const REACHABLE = '(({ heapUsed, external }) => heapUsed + external)(process.memoryUsage())'

interface Answer {
  readonly id: number
  readonly result: { readonly result?: { readonly value?: unknown } }
  readonly error?: { readonly message: string }
}

/** The heap of a process that Node's inspector listens in. */
export class InspectedHeap {
  readonly #socket: WebSocket
  #asked = 0

  private constructor(socket: WebSocket) {
    this.#socket = socket
  }

  /** @param url that the process prints: `ws://127.0.0.1:PORT/ID` */
  static async of(url: string): Promise<InspectedHeap> {
    const socket = new WebSocket(url)
    await once(socket, 'open')
    return new InspectedHeap(socket)
  }

  /** @returns bytes that are reachable, because garbage is collected before */
  async bytes(): Promise<number> {
    await this.#ask('HeapProfiler.collectGarbage')
    const { result } = await this.#ask('Runtime.evaluate', { expression: REACHABLE, returnByValue: true })
    if (typeof result?.value !== 'number')
      throw new Error(`The inspector answered ${JSON.stringify(result)}.`)
    return result.value
  }

  close(): void {
    this.#socket.close()
  }

  async #ask(method: string, params: object = {}): Promise<Answer['result']> {
    const id = ++this.#asked
    const answered = new Promise<Answer>((resolve) => {
      const onMessage = ({ data }: { readonly data: unknown }) => {
        const answer = JSON.parse(String(data)) as Answer
        if (answer.id !== id) return
        this.#socket.removeEventListener('message', onMessage)
        resolve(answer)
      }
      this.#socket.addEventListener('message', onMessage)
    })
    this.#socket.send(JSON.stringify({ id, method, params }))
    const { result, error } = await answered
    if (error !== undefined) throw new Error(`${method}: ${error.message}`)
    return result
  }
}
