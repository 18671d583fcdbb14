import type { TraceLine } from '../world/trace.js'
import type { Relation, TimelineSubject } from './timeline-subject.js'

/** A line of a timeline, and how often the same was seen until something was written. */
export interface Told {
  readonly line: TraceLine
  readonly relation: Relation
  readonly who: ReadonlySet<string>
  readonly times: number
  readonly until: number
}

/**
 * Readings that gave the same, until the item was written again, as one; and writes of one process that were refused alike. The
 * readings that a violation names are not among those of others.
 */
export function foldReadings(
  lines: readonly { readonly line: TraceLine; readonly relation: Relation }[],
  subject: TimelineSubject,
): readonly Told[] {
  const told: (Told & { times: number; until: number; who: Set<string> })[] = []
  let open = new Map<string, (typeof told)[number]>()
  for (const { line, relation } of lines) {
    const { at, who } = line
    const isRefused = relation === 'write' && !line.what.includes(' -> ok')
    const isFolded = relation === 'reading' || isRefused
    if (relation === 'write' && !isRefused) open = new Map()
    const isRead = relation === 'reading' || relation === 'miss'
    const what = isRead ? subject.ownPart(line.what) : line.what
    const name = isRefused || subject.isReader(who) ? `${who} ${what}` : answerOf(what)
    const before = open.get(name)
    if (isFolded && before !== undefined) {
      before.times += 1
      before.until = at
      before.who.add(who)
      continue
    }
    const entry = { line: { ...line, what }, relation, who: new Set([who]), times: 1, until: at }
    told.push(entry)
    if (isFolded) open.set(name, entry)
  }
  return told
}

/** Which operation gave what, whatever else it asked for. */
function answerOf(what: string): string {
  const [request = '', answer = ''] = what.split(' -> ')
  return `${request.split(' ')[0]} ${answer}`
}
