import { close, openSync, rmSync, write, writeSync } from 'node:fs'
import { LocalError } from '../errors/local-error.js'
import { onNextTurn } from '../timers/next-turn.js'

/**
 * How much may wait for a slow disk before recording stops: some seconds of busy traffic, and harmless for the process.
 */
const MAX_WAITING_BYTES = 64 * 1024 * 1024

/** How much may be recorded within one turn of the event loop before it is written in the foreground. */
const MAX_UNSEEN_BYTES = 8 * 1024 * 1024

/**
 * A file of lines that never delays or fails the recorded requests. A line that cannot be stored ends the recording,
 * which is reported once.
 *
 * Lines are gathered until the event loop turns, and then written in the background. A process that calls its own
 * engine without ever yielding to the event loop would never reach that turn, and never see a write complete. In that
 * case lines are written in the foreground, because the disk is not the bottleneck. A Node stream would mistake this
 * for a slow disk.
 */
export class TraceFile {
  readonly path: string
  readonly #file: number
  readonly #maxWaitingBytes: number
  readonly #onEnd: (error: LocalError) => void
  #lines: string[] = []
  /** The number of characters in these lines, which is close to their size in bytes. */
  #waiting = 0
  /**
   * The file offset of the next write. Each write has its own offset, so a foreground write may overtake a background
   * one.
   */
  #position = 0
  #isWriting = false
  /** Whether a callback for the next turn is pending, and how much has been recorded since the last turn. */
  #awaitsTurn = false
  #unseen = 0
  #hasEnded = false
  #closing: Promise<void> | undefined
  #closed = () => {}

  /**
   * @param onEnd called once if recording ends before `close`.
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

  /** Ends the recording and reports the reason. Lines recorded before are still written. */
  end(reason: string, cause?: unknown): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    const message = `The trace ${this.path} ends here: ${reason}. Requests are answered as before, and no longer recorded.`
    this.#onEnd(new LocalError('trace.ended', message, { path: this.path }, cause))
  }

  /** Resolves when all recorded lines have been written, or cannot be written. */
  close(): Promise<void> {
    this.#hasEnded = true
    this.#closing ??= new Promise((resolve) => {
      this.#closed = resolve
      if (!this.#isWriting) this.#finish()
    })
    return this.#closing
  }

  /** Closes the file and removes it if it can: for a start that failed, whose next attempt may name the same file. */
  async discard(): Promise<void> {
    await this.close()
    try {
      rmSync(this.path, { force: true })
    } catch {
      // The start has an error already, which says more to its reader.
    }
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

  /** Writes all bytes, in several calls if the system writes fewer at once. */
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
    // Lines after a gap would be unreadable, so they are dropped.
    this.#take()
    const reason = error instanceof Error ? error.message : String(error)
    this.end(`it cannot be written (${reason})`, error)
  }
}

/** Only its owner may read the file, because it contains the data of users. */
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
