import type { Endpoint } from '../endpoint.js'
import { FAMILIES } from '../families/families.js'
import type { Family, Step } from '../families/family.js'
import { comparable } from '../judgement/comparable.js'
import type { Difference } from '../judgement/exception.js'
import { JUDGEMENTS, judge } from '../judgement/judge.js'
import { onlyRemoves } from '../judgement/only-removes.js'
import { createTableRequest } from '../model/table-model.js'
import { TABLES } from '../model/tables.js'
import { askInPages } from './ask-in-pages.js'
import { drawSteps } from './draw-steps.js'
import { reconcile } from './reconcile.js'

/** The two sides of a comparison. */
export interface Sides {
  readonly ours: Endpoint
  readonly theirs: Endpoint
}

/** The result of a comparison. */
export interface Findings {
  readonly compared: number
  readonly equal: number
  /** How often each named exception explained a difference, including those that never did. */
  readonly excepted: ReadonlyMap<string, number>
  readonly unexplained: readonly Difference[]
  /** Families that were left out, because one side does not support their operations. */
  readonly waiting: readonly string[]
}

/** Sends the same requests to both sides, and judges the differences. */
export async function compare(sides: Sides, seed: number, operations: number): Promise<Findings> {
  for (const table of TABLES) await createTable(sides, createTableRequest(table))
  const { known, waiting } = await sortFamilies(sides)
  const excepted = new Map(JUDGEMENTS.map(({ name }) => [name, 0]))
  const unexplained: Difference[] = []
  let equal = 0
  let compared = 0
  for (const step of drawSteps(known, seed, operations)) {
    const [ours, theirs] = await Promise.all([ask(sides.ours, step), ask(sides.theirs, step)])
    compared++
    if (JSON.stringify(ours) === JSON.stringify(theirs)) {
      equal++
      // Equal answers hide that only one side has created an item.
      if (onlyRemoves(step)) await reconcile(sides, step)
      continue
    }
    await reconcile(sides, step)
    const difference = { step, ours, theirs }
    const names = judge(difference)
    if (names.length === 0) unexplained.push(difference)
    for (const name of names) excepted.set(name, (excepted.get(name) ?? 0) + 1)
  }
  return { compared, equal, excepted, unexplained, waiting }
}

async function ask(endpoint: Endpoint, step: Step) {
  const { operation, request, pages } = step
  const answer = await (pages ? askInPages(endpoint, operation, request) : endpoint.ask(operation, request))
  return comparable(step, answer)
}

async function createTable(sides: Sides, request: object): Promise<void> {
  for (const side of [sides.ours, sides.theirs]) {
    const { status, body } = await side.ask('CreateTable', request)
    if (status !== 200) throw new Error(`A table of the comparison was refused: ${JSON.stringify(body)}`)
  }
}

/** A family is included automatically once both sides support its operations. */
async function sortFamilies(sides: Sides): Promise<{ known: Family[]; waiting: string[] }> {
  const known: Family[] = []
  const waiting: string[] = []
  for (const family of FAMILIES) {
    const answers = await Promise.all(
      family.operations.flatMap((operation) =>
        [sides.ours, sides.theirs].map((side) => side.ask(operation, {})),
      ),
    )
    if (answers.some(({ body }) => JSON.stringify(body).includes('UnknownOperationException')))
      waiting.push(family.name)
    else known.push(family)
  }
  return { known, waiting }
}
