import type { TraceLine } from '../world/trace.js'

/** A line longer than that is cut: beyond it are the other items of a page or a batch. */
const MAX_CHARACTERS = 400

/** What stands before the part that a cut line is about. */
const BEGINNING_CHARACTERS = 80

/** One line of a trace: seconds, who, and what. */
export function lineText(line: TraceLine): string {
  return lineTextAround(line, undefined)
}

/** The same; where it is too long, with the part that was asked for. */
export function lineTextAround({ at, who, what }: TraceLine, part: RegExp | undefined): string {
  return `${secondsText(at).padStart(9)} ${who.padEnd(7)} ${cut(readable(what), part)}`
}

export function secondsText(milliseconds: number): string {
  return (milliseconds / 1_000).toFixed(3)
}

/** Without what is the same everywhere. */
function readable(what: string): string {
  return what.replaceAll(/x{8,}/g, 'x...').replaceAll('isotherm_', '')
}

/** The end is always there: it says what came of it. */
function cut(text: string, part: RegExp | undefined): string {
  if (text.length <= MAX_CHARACTERS) return text
  const [outcome = ''] = /-> [^{}[\]]*$/.exec(text) ?? []
  const body = text.slice(0, text.length - outcome.length)
  const room = MAX_CHARACTERS - outcome.length
  const at = part === undefined ? 0 : Math.max(0, body.search(part))
  const isEarly = at < room - BEGINNING_CHARACTERS
  const from = at - BEGINNING_CHARACTERS
  const beginning = isEarly ? '' : `${body.slice(0, BEGINNING_CHARACTERS)} ... `
  const kept = isEarly ? body.slice(0, room) : body.slice(from, from + room - BEGINNING_CHARACTERS)
  return `${beginning}${kept} ... ${outcome}`.trimEnd()
}
