import type { WriteStream } from 'node:tty'
import sliceAnsi from 'slice-ansi'
import { END_FRAME, HIDE_CURSOR, SHOW_CURSOR, START_FRAME } from './terminal-codes.js'

const ENTER_SCREEN = '\u001B[?1049h'
const LEAVE_SCREEN = '\u001B[?1049l'
const TO_FIRST_ROW = '\u001B[H'
const ERASE_ROW = '\u001B[2K'

/** Of a terminal that does not say its size. */
const DEFAULT_SIZE = { columns: 80, rows: 24 }

/**
 * A live view on the second screen of a terminal, where `top` and `less` draw, too. On the first one, a terminal wraps lines again when
 * its width changes. Rows that were drawn there cannot be found again, and remain as stale frames. The second screen never wraps
 * lines again, and each frame paints all of its rows.
 */
export class LiveScreen {
  readonly #stream: WriteStream
  #lines: readonly string[] = []
  #isOpen = false

  constructor(stream: WriteStream) {
    this.#stream = stream
  }

  /** Replaces the view. Lines are cut at the width of the terminal, and those below its last row are not shown. */
  show(text: string): void {
    this.#lines = text.split('\n')
    if (!this.#isOpen) this.#open()
    this.#paint()
  }

  /** Shows what was on the terminal before. */
  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#stream.off('resize', this.#paint)
    process.off('exit', this.#leave)
    process.off('SIGTSTP', this.#suspend)
    process.off('SIGCONT', this.#resume)
    this.#leave()
  }

  #open(): void {
    this.#isOpen = true
    this.#stream.on('resize', this.#paint)
    // A process that ends for another reason must not leave its user on the second screen.
    process.on('exit', this.#leave)
    process.on('SIGTSTP', this.#suspend)
    process.on('SIGCONT', this.#resume)
    this.#enter()
  }

  readonly #enter = () => void this.#stream.write(ENTER_SCREEN + HIDE_CURSOR)
  readonly #leave = () => void this.#stream.write(SHOW_CURSOR + LEAVE_SCREEN)

  /** Ctrl-Z: the shell gets its own screen. */
  readonly #suspend = () => {
    this.#leave()
    process.kill(process.pid, 'SIGSTOP')
  }

  readonly #resume = () => {
    this.#enter()
    this.#paint()
  }

  readonly #paint = () => {
    const { columns, rows } = this.#stream
    const width = columns || DEFAULT_SIZE.columns
    const height = rows || DEFAULT_SIZE.rows
    // Erased before it is written: erasing behind a text of the whole width would erase its last character.
    const painted = Array.from(
      { length: height },
      (_, row) => ERASE_ROW + sliceAnsi(this.#lines[row] ?? '', 0, width),
    )
    this.#stream.write(START_FRAME + TO_FIRST_ROW + painted.join('\r\n') + END_FRAME)
  }
}
