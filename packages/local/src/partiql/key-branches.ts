import {
  type BoundCondition,
  equalValues,
  type KeyValue,
  type SortCondition,
  tooManyOptionsText,
} from '@isotherm/semantics'
import { validationException } from '../errors/service-error.js'
import type { KeyAttribute, KeySchema } from '../table/table-definition.js'
import { keyOptionsOf, keyTestOf } from './key-test.js'

/** One alternative of a WHERE clause, for a single partition key. */
export interface KeyBranch {
  readonly partition: readonly KeyValue[]
  /** Equalities on the first attributes of the sort key. */
  readonly sort: readonly SortCondition[]
  /** Tests of the next attribute. Each narrows the range. */
  readonly narrowing: readonly SortCondition[]
  /** Whether it negates a test of the sort key. The service does not compare such a branch with others. */
  readonly negated: boolean
  /** Whether it gives two different values for the partition key. */
  readonly contradicts: boolean
}

/**
 * The maximum number of partition keys in one IN. Source:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ql-operators.html
 */
const MAX_PARTITION_KEYS = 50
/** The maximum number of branches, above which a scan is used. It exceeds the limit of IN for partition keys. */
const MAX_BRANCHES = 200

/**
 * Splits a condition into alternative branches, each for one partition key.
 *
 * `OR` is split only when it concerns key attributes. Everything else is left to the filter, which evaluates the whole
 * condition again. Returns `undefined` when a branch does not give the partition key, so that the table must be
 * scanned.
 *
 * @throws ServiceError when a key attribute is compared with a value of the wrong type.
 */
export function keyBranches(where: BoundCondition, schema: KeySchema): readonly KeyBranch[] | undefined {
  const alternatives = alternativesOf(where, schema)
  if (alternatives === undefined) return undefined
  const branches: KeyBranch[] = []
  for (const conjuncts of alternatives) {
    const branch = branchOf(conjuncts, schema)
    if (branch === undefined) return undefined
    branches.push(branch)
  }
  const possible = branches.filter(({ contradicts }) => !contradicts)
  // When all branches are contradictory, one is still read, because a read that finds nothing has its cost.
  return possible.length > 0 ? possible : branches.slice(0, 1)
}

type Conjuncts = readonly BoundCondition[]

/** The condition as alternatives of conjunctions, or `undefined` when there would be too many. */
function alternativesOf(condition: BoundCondition, schema: KeySchema): readonly Conjuncts[] | undefined {
  if (condition.kind === 'and') {
    const left = alternativesOf(condition.left, schema)
    const right = alternativesOf(condition.right, schema)
    if (left === undefined || right === undefined || left.length * right.length > MAX_BRANCHES)
      return undefined
    return left.flatMap((first) => right.map((second) => [...first, ...second]))
  }
  if (condition.kind === 'or' && isAboutKey(condition, schema)) {
    const left = alternativesOf(condition.left, schema)
    const right = alternativesOf(condition.right, schema)
    if (left === undefined || right === undefined || left.length + right.length > MAX_BRANCHES)
      return undefined
    return [...left, ...right]
  }
  const options = keyOptionsOf(condition, schema.hash)
  if (options === undefined || condition.kind !== 'in') return [[condition]]
  if (options.values.length > MAX_PARTITION_KEYS) {
    throw validationException(tooManyOptionsText(options.values.length))
  }
  return options.values.map(
    (value): Conjuncts => [
      { kind: 'compare', operator: '=', left: condition.operand, right: { kind: 'value', value } },
    ],
  )
}

function branchOf(conjuncts: Conjuncts, { hash, range }: KeySchema): KeyBranch | undefined {
  const tests = conjuncts.flatMap((conjunct) => keyTestOf(conjunct, [...hash, ...range]) ?? [])
  const equalityOf = ({ name }: KeyAttribute) => {
    const found = tests.find((each) => each.name === name && each.test.operator === '=')
    return found?.test.operator === '=' ? found.test : undefined
  }
  const partition: KeyValue[] = []
  let contradicts = false
  for (const attribute of hash) {
    const test = equalityOf(attribute)
    if (test === undefined) return undefined
    partition.push(test.value)
    contradicts ||= tests.some(
      ({ name, test: other }) =>
        name === attribute.name && other.operator === '=' && !equalValues(other.value, test.value),
    )
  }
  const sort: SortCondition[] = []
  let next = 0
  for (; next < range.length; next++) {
    const attribute = range[next]
    const test = attribute === undefined ? undefined : equalityOf(attribute)
    if (test === undefined) break
    sort.push(test)
  }
  const last = range[next]?.name
  const narrowing = tests.filter(({ name }) => name === last).map(({ test }) => test)
  const negated = conjuncts.some((conjunct) => isNegated(conjunct, range))
  return { partition, sort, narrowing, negated, contradicts }
}

function isNegated(condition: BoundCondition, range: readonly KeyAttribute[]): boolean {
  const denies = condition.kind === 'not' || (condition.kind === 'compare' && condition.operator === '<>')
  return denies && isAboutKey(condition, { hash: [], range })
}

/** Whether any part of a condition uses a key attribute. */
function isAboutKey(condition: BoundCondition, { hash, range }: KeySchema): boolean {
  const names = new Set([...hash, ...range].map(({ name }) => name))
  const asks = (part: unknown): boolean => {
    if (typeof part !== 'object' || part === null) return false
    if ('path' in part && Array.isArray(part.path)) return names.has(String(part.path[0]))
    return Object.entries(part).some(([member, inner]) => member !== 'value' && asks(inner))
  }
  return asks(condition)
}
