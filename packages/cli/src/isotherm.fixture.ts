import { Writable } from 'node:stream'
import type { WriteStream } from 'node:tty'
import { ENDING_SIGNALS } from './interruption.js'
import { main } from './main.js'

/** How a command ended, and its output. */
export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Runs the command in this process, which takes a tenth of the time of a separate process. */
export function isotherm(...args: readonly string[]): Promise<Ended> {
  return collected(args, () => undefined)
}

/** The same with a terminal as standard error, where progress is shown. */
export function isothermInTerminal(...args: readonly string[]): Promise<Ended> {
  return collected(args, (err) => Object.assign(err, { isTTY: true, columns: 80 }) as unknown as WriteStream)
}

/**
 * Runs a command in this process that serves until Ctrl-C, which is pressed once it has printed the text.
 *
 * @param meanwhile what to do before Ctrl-C, with the text that was found
 */
export async function isothermUntil(
  printed: RegExp,
  args: readonly string[],
  meanwhile: (found: string) => Promise<void> = async () => {},
): Promise<Ended> {
  let look = (_text: string) => {}
  const heard = new Promise<string>((resolve) => {
    look = (text) => {
      const [found] = printed.exec(text) ?? []
      if (found !== undefined) resolve(found)
    }
  })
  const ended = collected(args, () => undefined, look)
  // A command that ends before it prints the text fails by what it has printed instead.
  const found = await Promise.race([heard, ended.then(() => undefined)])
  if (found === undefined) return ended
  try {
    await meanwhile(found)
  } finally {
    process.emit('SIGINT', 'SIGINT')
  }
  return ended
}

async function collected(
  args: readonly string[],
  displayOn: (err: Writable) => WriteStream | undefined,
  onText: (text: string) => void = () => {},
): Promise<Ended> {
  const [out, err] = [new Collected(onText), new Collected(onText)]
  const before = ENDING_SIGNALS.map((signal) => process.listeners(signal))
  const code = await main(args, { out, err, display: displayOn(err) })
  // A process that ends needs none removed.
  for (const [index, signal] of ENDING_SIGNALS.entries()) {
    for (const listener of process.listeners(signal)) {
      if (!before[index]?.includes(listener)) process.off(signal, listener)
    }
  }
  return { code, out: out.text, err: err.text }
}

class Collected extends Writable {
  text = ''
  readonly #onText: (text: string) => void

  /** @param onText gets all text so far, whenever there is more. */
  constructor(onText: (text: string) => void) {
    super()
    this.#onText = onText
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString()
    this.#onText(this.text)
    done()
  }
}
