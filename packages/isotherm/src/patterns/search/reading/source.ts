import { isCovered, newestFirst, OLDEST, type Position } from '../model/position.js'

/** Finds candidates for a query in one way, from the newest to the oldest. */
export interface Source {
  /** Every match that is this new, or newer, is among the candidates. `OLDEST` when all are. */
  readonly coveredTo: Position
  /** Positions of items that may match. Those that are not covered yet may come too, and are not complete. */
  readonly candidates: ReadonlySet<Position>
  /** Reads further: requests that are sent at the same time. */
  advance(): Promise<void>
}

/** Candidates of all sources that are complete, newest first. */
export function readyCandidates(sources: readonly Source[], before: Position): readonly Position[] {
  const bound = commonBound(sources)
  const all = new Set(sources.flatMap(({ candidates }) => [...candidates]))
  return [...all]
    .filter((position) => isCovered(position, bound) && !isCovered(position, before))
    .sort(newestFirst)
}

/** How far all sources have come. */
export function commonBound(sources: readonly Source[]): Position {
  const bounds = sources.map(({ coveredTo }) => coveredTo)
  return bounds.sort(newestFirst)[0] ?? OLDEST
}
