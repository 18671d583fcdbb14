import type { TraceLine } from '../world/trace.js'
import type { RunResult } from './run-seed.js'

const MAX_LINES = 60

/** What happened to processes, and not in the service. */
const MISCHIEF = /^(pauses|crashes|its clock|no more load|VIOLATION)/

/** Who did what on the key of a violation, and what happened to whom meanwhile: the last lines, for people. */
export function timeline({ violation, lines }: RunResult): readonly string[] {
  const about = violation?.about ?? []
  const [key = ''] = about
  const isAbout = ({ who, what }: TraceLine) =>
    MISCHIEF.test(what) ||
    about.every((part) => what.includes(part)) ||
    (who === 'service' && key !== '' && what.includes(`_shard_map ${key}:`))
  const kept = about.length === 0 ? lines : lines.filter(isAbout)
  return kept.slice(-MAX_LINES).map(lineText)
}

/** One line of a trace: seconds, who, and what. */
export function lineText({ at, who, what }: TraceLine): string {
  return `${(at / 1_000).toFixed(3).padStart(9)} ${who.padEnd(7)} ${readable(what)}`
}

/** Without what is the same everywhere. */
function readable(what: string): string {
  return what.replaceAll(/x{8,}/g, 'x...').replaceAll('isotherm_', '').slice(0, 400)
}
