import type { WriteStream } from 'node:tty'
import type { HotFileProgress } from '@isotherm/scenarios'
import { type Terminal, writeLine } from '../terminal.js'
import { LiveScreen } from './live-screen.js'
import { progressLine, progressScreen } from './progress-text.js'

/** Shows the progress of a run. */
export interface ProgressDisplay {
  show(progress: HotFileProgress): void
  /** Removes the display, so that only the result remains. */
  end(): void
}

/**
 * A live view on a terminal; elsewhere, an occasional line.
 * @param heading lines above the view, such as the address of the console
 */
export function progressDisplay(terminal: Terminal, heading: readonly string[] = []): ProgressDisplay {
  for (const line of heading) writeLine(terminal.err, line)
  return terminal.display === undefined ? sparseDisplay(terminal) : liveDisplay(terminal.display, heading)
}

function liveDisplay(stream: WriteStream, heading: readonly string[]): ProgressDisplay {
  const screen = new LiveScreen(stream)
  return {
    show: (progress) => screen.show([...heading, progressScreen(progress, stream.columns)].join('\n')),
    end: () => screen.close(),
  }
}

const SECONDS_BETWEEN_LINES = 10

function sparseDisplay({ err }: Terminal): ProgressDisplay {
  let nextAt = SECONDS_BETWEEN_LINES
  return {
    show: (progress) => {
      if (progress.phase !== 'read-back' && progress.elapsedSeconds < nextAt) return
      while (nextAt <= progress.elapsedSeconds) nextAt += SECONDS_BETWEEN_LINES
      writeLine(err, progressLine(progress))
    },
    end: () => {},
  }
}
