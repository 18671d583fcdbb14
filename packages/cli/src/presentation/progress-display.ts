import type { WriteStream } from 'node:tty'
import type { HotFileProgress } from '@isotherm/scenarios'
import { createLogUpdate } from 'log-update'
import { type Terminal, writeLine } from '../terminal.js'
import { progressLine, progressScreen } from './progress-text.js'

/** Shows the progress of a run. */
export interface ProgressDisplay {
  show(progress: HotFileProgress): void
  /** Removes the display, so that only the result remains. */
  end(): void
}

/** A few lines that are redrawn in place on a terminal; elsewhere, an occasional line. */
export function progressDisplay(terminal: Terminal): ProgressDisplay {
  return terminal.display === undefined ? sparseDisplay(terminal) : liveDisplay(terminal.display)
}

function liveDisplay(stream: WriteStream): ProgressDisplay {
  const update = createLogUpdate(stream)
  return {
    show: (progress) => update(progressScreen(progress, stream.columns)),
    end: () => {
      update.clear()
      update.done()
    },
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
