import { isJsonObject } from '../json.js'
import type { Answers } from './adjustment.js'
import { ADJUSTMENTS } from './adjustments/adjustments.js'
import { sorted } from './canonical.js'
import { isError } from './comparable.js'
import type { Difference } from './exception.js'
import { EXCEPTIONS } from './exceptions/exceptions.js'

/** All known reasons for a difference. */
export const JUDGEMENTS = [...EXCEPTIONS, ...ADJUSTMENTS]

/** The names of the reasons for a difference; empty when nothing explains it. */
export function judge(difference: Difference): readonly string[] {
  const exception = EXCEPTIONS.find((each) => each.applies(difference))
  return exception === undefined ? judgeParts(difference) : [exception.name]
}

function judgeParts({ step, ours, theirs }: Difference): readonly string[] {
  if (isError(ours) || isError(theirs) || !isJsonObject(ours.body) || !isJsonObject(theirs.body)) return []
  let answers: Answers = { ours: ours.body, theirs: theirs.body }
  const names: string[] = []
  for (const { name, adjust } of ADJUSTMENTS) {
    const before = distance(answers)
    const adjusted = adjust(answers, step)
    if (distance(adjusted) === before) continue
    answers = adjusted
    names.push(name)
  }
  return JSON.stringify(inOrder(answers.ours)) === JSON.stringify(inOrder(answers.theirs)) ? names : []
}

/** Whether, and how, two responses differ: an adjustment applies only if it changes this. */
function distance({ ours, theirs }: Answers): string {
  const [a, b] = [JSON.stringify(inOrder(ours)), JSON.stringify(inOrder(theirs))]
  return a === b ? '' : `${a}\n${b}`
}

/** Adjusted numbers can change the order of items. */
function inOrder(body: object): object {
  return 'Items' in body && Array.isArray(body.Items) ? { ...body, Items: sorted(body.Items) } : body
}
