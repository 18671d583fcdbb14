import { close, openSync, write, writeSync } from 'node:fs'
import { onNextTurn } from '@isotherm/runtime'
import { LocalError } from '../errors/local-error.js'

/** What may wait for a slow disk before recording ends: some seconds of busy traffic, and no danger to the process. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024

/** What may come without the process once looking up from its work. */
const MAX_UNSEEN_BYTES = 8 * 1024 * 1024

/**
 * A file of lines that can never hold up or end what it tells of: a line that cannot be taken is the last one, of which
 * is told once.
 *
 * Lines are gathered until the event loop turns, and then written in the background. Only where a process asks its own engine without ever letting go of the event
 * loop does that never come, nor does anybody hear that a write is done; then lines are written in the foreground, because it is not the disk that
 * is waited for. A stream of Node's would take that for a slow disk.
 */
export class TraceFile {
  readonly path: string
  readonly #file: number
  readonly #maxWaitingBytes: number
  readonly #onEnd: (error: LocalError) => void
  #lines: string[] = []
  /** Characters of these lines: nearly their bytes. */
  #waiting = 0
  /** Where the next write goes: each has its place, so one in the foreground may overtake one in the background. */
  #position = 0
  #isWriting = false
  /** Whether a turn of the event loop is waited for, and what has come since then. */
  #awaitsTurn = false
  #unseen = 0
  #hasEnded = false
  #closing: Promise<void> | undefined
  #closed = () => {}

  /**
   * @param onEnd told once when recording ends before it was closed.
   * @throws LocalError `trace.exists`, `trace.write`
   */
  constructor(path: string, onEnd: (error: LocalError) => void, maxWaitingBytes = MAX_WAITING_BYTES) {
    this.path = path
    this.#onEnd = onEnd
    this.#maxWaitingBytes = maxWaitingBytes
    this.#file = openNew(path)
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  write(line: string): void {
    if (this.#hasEnded) return
    if (this.#waiting + line.length > this.#maxWaitingBytes) {
      this.end('the disk is too slow for it')
      return
    }
    this.#lines.push(line)
    this.#waiting += line.length
    this.#unseen += line.length
    if (!this.#awaitsTurn) {
      this.#awaitsTurn = true
      onNextTurn(() => this.#turn())
    } else if (this.#unseen > MAX_UNSEEN_BYTES) {
      this.#unseen = 0
      this.#writeNow()
    }
  }

  /** Ends the recording for a reason, of which is told. What was taken is still written. */
  end(reason: string, cause?: unknown): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    const message = `The trace ${this.path} ends here: ${reason}. Requests are answered as before, and no longer recorded.`
    this.#onEnd(new LocalError('trace.ended', message, { path: this.path }, cause))
  }

  /** Resolves when everything that was taken is in the file, or never will be. */
  close(): Promise<void> {
    this.#hasEnded = true
    this.#closing ??= new Promise((resolve) => {
      this.#closed = resolve
      if (!this.#isWriting) this.#finish()
    })
    return this.#closing
  }

  #turn(): void {
    this.#awaitsTurn = false
    this.#unseen = 0
    if (!this.#isWriting && this.#waiting > 0) this.#writeBehind()
  }

  #writeBehind(): void {
    const bytes = this.#take()
    this.#isWriting = true
    this.#put(bytes, this.#position)
    this.#position += bytes.length
  }

  #finish(): void {
    if (this.#waiting > 0) this.#writeBehind()
    else close(this.#file, () => this.#closed())
  }

  /** Writes all of it, however many writes the system makes of it. */
  #put(bytes: Buffer, position: number): void {
    write(this.#file, bytes, 0, bytes.length, position, (error, written) => {
      if (error !== null) this.#fail(error)
      else if (written < bytes.length) return this.#put(bytes.subarray(written), position + written)
      this.#isWriting = false
      if (this.#closing !== undefined) this.#finish()
      else if (this.#waiting > 0) this.#writeBehind()
    })
  }

  #writeNow(): void {
    let bytes = this.#take()
    try {
      while (bytes.length > 0) {
        const written = writeSync(this.#file, bytes, 0, bytes.length, this.#position)
        this.#position += written
        bytes = bytes.subarray(written)
      }
    } catch (error) {
      this.#fail(error)
    }
  }

  #take(): Buffer {
    const bytes = Buffer.from(this.#lines.join(''))
    this.#lines = []
    this.#waiting = 0
    return bytes
  }

  #fail(error: unknown): void {
    // What comes after a gap could not be read.
    this.#take()
    const reason = error instanceof Error ? error.message : String(error)
    this.end(`it cannot be written (${reason})`, error)
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
