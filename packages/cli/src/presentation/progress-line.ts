import type { WriteStream } from 'node:tty'
import { type Clock, SystemClock } from '@isotherm/runtime'
import pc from 'picocolors'
import sliceAnsi from 'slice-ansi'
import type { Terminal } from '../terminal.js'
import { END_FRAME, HIDE_CURSOR, SHOW_CURSOR, START_FRAME } from './terminal-codes.js'

/** Of a terminal that does not say its width. */
const DEFAULT_COLUMNS = 80
const BAR_WIDTH = 24
/** Some work reports thousands of times a second, which a terminal would slow down. */
const MILLISECONDS_BETWEEN = 100
const ERASE_BELOW = '\u001B[J'

/** The progress of long work. */
export interface ProgressLine {
  /** @param share the share of the work that is done, from 0 to 1, if it is known; it is shown as a bar */
  show(text: string, share?: number): void
  /** Removes the line. */
  end(): void
}

/** One line that is redrawn on a terminal; nothing elsewhere. */
export function progressLine(
  { display }: Pick<Terminal, 'display'>,
  clock: Clock = new SystemClock(),
): ProgressLine {
  return display === undefined ? { show: () => undefined, end: () => undefined } : drawnLine(display, clock)
}

/**
 * The cursor waits in the first column. A terminal that becomes narrower either cuts the line of the cursor or wraps it, and then
 * leaves the cursor at its start. So what is behind and below the cursor is the whole line.
 */
function drawnLine(stream: WriteStream, clock: Clock): ProgressLine {
  let shownAt: number | undefined
  const showCursor = () => void stream.write(SHOW_CURSOR)
  const hideCursor = () => void stream.write(HIDE_CURSOR)
  // Ctrl-Z: the shell gets a new line, with its cursor.
  const suspend = () => {
    stream.write(`\r${ERASE_BELOW}${SHOW_CURSOR}`)
    process.kill(process.pid, 'SIGSTOP')
  }
  return {
    show(text, share) {
      const now = clock.now()
      if (shownAt !== undefined && now - shownAt < MILLISECONDS_BETWEEN) return
      if (shownAt === undefined) {
        hideCursor()
        process.on('exit', showCursor)
        process.on('SIGTSTP', suspend)
        process.on('SIGCONT', hideCursor)
      }
      shownAt = now
      const line = share === undefined ? text : `${barOf(share)}  ${text}`
      // The last column stays free, because some terminals wrap behind it.
      const shown = sliceAnsi(line, 0, (stream.columns || DEFAULT_COLUMNS) - 1)
      stream.write(`${START_FRAME}\r${ERASE_BELOW}${shown}\r${END_FRAME}`)
    },
    end() {
      if (shownAt === undefined) return
      shownAt = undefined
      process.off('exit', showCursor)
      process.off('SIGTSTP', suspend)
      process.off('SIGCONT', hideCursor)
      stream.write(`\r${ERASE_BELOW}${SHOW_CURSOR}`)
    },
  }
}

function barOf(share: number): string {
  const part = Math.min(1, Math.max(0, share))
  const done = Math.round(BAR_WIDTH * part)
  const bar = pc.cyan('█'.repeat(done)) + pc.dim('░'.repeat(BAR_WIDTH - done))
  return `${bar} ${`${Math.floor(part * 100)} %`.padStart(5)}`
}
