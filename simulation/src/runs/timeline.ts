import { foldReadings, type Told } from './fold-readings.js'
import type { RunResult } from './run-seed.js'
import { type Relation, TimelineSubject } from './timeline-subject.js'
import { lineText, lineTextAround, secondsText } from './trace-text.js'

/** Where a violation is about nothing that a line could name. */
const MAX_LINES_OF_ALL = 60

/**
 * What was written is the cause of most violations, and its first write as likely as its last one; so it is shown as a whole
 * where it can be, and not cut off by what happened beside it.
 */
const MOST: Readonly<Record<Relation, number>> = {
  write: 200,
  count: 100,
  mischief: 40,
  reading: 40,
  miss: 12,
  end: 2,
}
const RELATIONS = Object.keys(MOST) as Relation[]

/**
 * What came before a violation, for people: what was written to the item, how the count of its key changed, what happened to the
 * processes that took part, and what was read. Of the readings that a violation names, also those that did not find it.
 */
export function timeline({ violation, lines }: Pick<RunResult, 'violation' | 'lines'>): readonly string[] {
  if (violation === undefined || violation.about.length === 0) {
    return lines.slice(-MAX_LINES_OF_ALL).map(lineText)
  }
  const subject = new TimelineSubject(violation, lines)
  const related = lines.flatMap((line) => {
    const relation = subject.relationOf(line)
    return relation === undefined ? [] : [{ line, relation }]
  })
  const told = foldReadings(related, subject)
  const kept = new Set(RELATIONS.flatMap((relation) => keptOf(told, relation)))
  const leftOut = told.length - kept.size
  const lead = leftOut === 0 ? [] : [`${leftOut} lines of ${told.length} are left out`]
  return [...lead, ...told.filter((each) => kept.has(each)).map((each) => textOf(each, subject))]
}

/** Of writes the first and the last ones, of everything else the last ones. */
function keptOf(told: readonly Told[], relation: Relation): readonly Told[] {
  const own = told.filter((each) => each.relation === relation)
  const most = MOST[relation]
  if (own.length <= most) return own
  return relation === 'write' ? [...own.slice(0, most / 2), ...own.slice(-most / 2)] : own.slice(-most)
}

function textOf({ line, who, times, until }: Told, subject: TimelineSubject): string {
  const text = lineTextAround(line, subject.pattern)
  if (times === 1) return text
  const by = who.size === 1 ? '' : ` by ${who.size} processes`
  return `${text} (${times} times${by} until ${secondsText(until)})`
}
