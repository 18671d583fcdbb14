import { createWriteStream, openSync, type WriteStream } from 'node:fs'
import { LocalError } from '../local-error.js'

/** What may wait for a slow disk before recording ends: some seconds of busy traffic, and no danger to the process. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024

/** Lines are gathered to so much before they are written. */
const WRITE_BYTES = 256 * 1024

/**
 * A file of lines that can never hold up or end what it tells of: a line that cannot be taken is the last one, of which
 * is told once.
 */
export class TraceFile {
  readonly path: string
  readonly #stream: WriteStream
  readonly #maxWaitingBytes: number
  readonly #onEnd: (error: LocalError) => void
  readonly #closed: Promise<void>
  #hasEnded = false

  /**
   * @param onEnd told once when recording ends before it was closed.
   * @throws LocalError `trace.exists`, `trace.write`
   */
  constructor(path: string, onEnd: (error: LocalError) => void, maxWaitingBytes = MAX_WAITING_BYTES) {
    this.path = path
    this.#onEnd = onEnd
    this.#maxWaitingBytes = maxWaitingBytes
    this.#stream = createWriteStream(path, { fd: openNew(path), highWaterMark: WRITE_BYTES })
    this.#closed = new Promise((resolve) => this.#stream.once('close', resolve))
    this.#stream.on('error', (cause) => {
      this.end(`it cannot be written (${cause.message})`, cause)
    })
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  write(line: string): void {
    if (this.#hasEnded) return
    if (this.#stream.writableLength + line.length > this.#maxWaitingBytes) {
      this.end('the disk is too slow for it')
      return
    }
    this.#stream.write(line)
  }

  /** Ends the recording for a reason, of which is told. What was taken is still written. */
  end(reason: string, cause?: unknown): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#stream.end()
    const message = `The trace ${this.path} ends here: ${reason}. Requests are answered as before, and no longer recorded.`
    this.#onEnd(new LocalError('trace.ended', message, { path: this.path }, cause))
  }

  /** Resolves when everything that was taken is in the file, or never will be. */
  async close(): Promise<void> {
    this.#hasEnded = true
    this.#stream.end()
    await this.#closed
  }
}

/** Only its owner may read the file: it holds what users store. */
const OWNER_ONLY = 0o600

function openNew(path: string): number {
  try {
    return openSync(path, 'wx', OWNER_ONLY)
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
    if (code === 'EEXIST') {
      const message = `The trace file ${path} exists already and is not overwritten; name another one.`
      throw new LocalError('trace.exists', message, { path }, cause)
    }
    const message = `The trace file ${path} cannot be made (${String(code)}); name another place.`
    throw new LocalError('trace.write', message, { path }, cause)
  }
}
