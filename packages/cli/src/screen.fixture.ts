import { SystemClock } from '@isotherm/runtime'
import xterm from '@xterm/headless'

const LINES_KEPT = 2_000
/** Many times what a busy machine needs. */
const PATIENCE_MILLISECONDS = 90_000

/** What a terminal shows of what is written to it: xterm.js without a window. */
export class Screen {
  readonly #terminal: InstanceType<typeof xterm.Terminal>
  readonly #waiting = new Set<() => void>()

  constructor(columns: number, rows: number) {
    this.#terminal = new xterm.Terminal({
      cols: columns,
      rows,
      scrollback: LINES_KEPT,
      allowProposedApi: true,
    })
  }

  /** Resolves when it is on the screen. */
  write(data: string): Promise<void> {
    return new Promise((resolve) =>
      this.#terminal.write(data, () => {
        resolve()
        for (const look of this.#waiting) look()
      }),
    )
  }

  resize(columns: number, rows: number): void {
    this.#terminal.resize(columns, rows)
  }

  /** The visible rows, without blanks at their ends. */
  get rows(): readonly string[] {
    const { active } = this.#terminal.buffer
    return Array.from({ length: this.#terminal.rows }, (_, row) => rowOf(active, active.baseY + row))
  }

  /** All rows of the first screen, with those that were scrolled away. */
  get firstScreen(): readonly string[] {
    const { normal } = this.#terminal.buffer
    return Array.from({ length: normal.length }, (_, row) => rowOf(normal, row))
  }

  /** Whether the second screen is shown, as of `top` and `less`. */
  get isSecond(): boolean {
    return this.#terminal.buffer.active.type === 'alternate'
  }

  /** Resolves when what it shows is as expected. */
  async until(isExpected: (rows: readonly string[]) => boolean): Promise<void> {
    const seen = new AbortController()
    const look = () => {
      if (isExpected(this.rows)) seen.abort()
    }
    this.#waiting.add(look)
    look()
    await new SystemClock().sleep(PATIENCE_MILLISECONDS, seen.signal).catch(() => undefined)
    this.#waiting.delete(look)
    if (!seen.signal.aborted)
      throw new Error(`The terminal never showed what was expected:\n${this.rows.join('\n')}`)
  }
}

function rowOf(
  buffer: { getLine(row: number): { translateToString(trim: boolean): string } | undefined },
  row: number,
) {
  return buffer.getLine(row)?.translateToString(true) ?? ''
}
