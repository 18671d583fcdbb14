import type { Exception } from '../exception.js'
import { texts } from '../predicates.js'

/** Two texts for one error. */
export interface TextRow {
  readonly name: string
  readonly ours: RegExp
  readonly theirs: RegExp
  readonly reason: string
  readonly source: string
}

export function fromRow({ ours, theirs, ...said }: TextRow): Exception {
  return { ...said, applies: texts(ours, theirs) }
}
