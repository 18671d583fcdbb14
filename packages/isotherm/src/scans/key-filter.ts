import type { ScanCommandInput } from '@aws-sdk/client-dynamodb'
import {
  bindCondition,
  type ConditionAst,
  conditionPaths,
  type Item,
  matches,
  Placeholders,
  parseCondition,
} from '@isotherm/semantics'
import { refuseParameter } from '../errors/refuse.js'
import type { KeyedTable } from '../keys/keyed-table.js'
import { inServiceWords } from '../sdk/validation-exception.js'

const PARAMETER = 'FilterExpression'
const CURE =
  'The service compares the stored value, which has a suffix. Query the key instead, or compare it in your own code; begins_with of the key, joined to the rest by AND, works.'
const CURE_WITH_PREFIXES =
  'The service compares the stored value, which does not begin with the logical key in this table. Query the key instead, or compare it in your own code.'

/** Whether an item passes the filter's conditions on the partition key, evaluated with the logical key. */
export type KeyFilter = (item: Item) => boolean

/**
 * The filter's conditions on the partition key. The service evaluates them for the stored value. Whether the key exists
 * has the same result. A prefix of the logical key is also a prefix of the stored key, so nothing is missed. But a
 * prefix may extend into the suffix, so prefixes are checked again.
 *
 * @throws IsothermError `command.parameter-unsupported` for all other conditions on the key
 */
export function keyFilter(table: KeyedTable, input: ScanCommandInput): KeyFilter | undefined {
  const { FilterExpression, ExpressionAttributeNames, ExpressionAttributeValues } = input
  if (FilterExpression === undefined) return undefined
  return inServiceWords(() => {
    const placeholders = new Placeholders(
      ExpressionAttributeNames,
      ExpressionAttributeValues as unknown as Item,
    )
    const prefixes: KeyFilter[] = []
    for (const part of conjunctsOf(parseCondition(PARAMETER, FilterExpression))) {
      const asked = askedOfKey(table, part, placeholders, input.ProjectionExpression !== undefined)
      if (asked === 'nothing') continue
      if (asked === 'other' || table.suffix.suffixes === undefined) throw refused(table)
      const prefix = bindCondition(PARAMETER, part, placeholders)
      prefixes.push((item) => matches(prefix, item))
    }
    if (prefixes.length === 0) return undefined
    return (item) => prefixes.every((passes) => passes(item))
  })
}

function refused({ options: { name, partitionKey }, suffix: { suffixes } }: KeyedTable) {
  const cure = suffixes === undefined ? CURE_WITH_PREFIXES : CURE
  return refuseParameter(name, 'Scan', `a ${PARAMETER} that compares the partition key ${partitionKey}`, cure)
}

function askedOfKey(
  { options: { partitionKey } }: KeyedTable,
  part: ConditionAst,
  placeholders: Placeholders,
  isProjected: boolean,
): 'nothing' | 'prefix' | 'other' {
  const compared = leavesOf(part).filter((leaf) => {
    const bound = bindCondition(PARAMETER, leaf, placeholders)
    const isOfKey = conditionPaths(bound).some(([name]) => name === partitionKey)
    return isOfKey && bound.kind !== 'exists' && bound.kind !== 'type'
  })
  if (compared.length === 0) return 'nothing'
  if (compared[0] !== part || part.kind !== 'function' || part.name !== 'begins_with') return 'other'
  const [beginning, prefix] = part.operands
  // Without the attribute that has the prefix, it could not be checked again.
  if (isProjected && prefix?.kind === 'path') return 'other'
  // In `begins_with(other, key)`, the logical key may be a prefix where the stored key is not.
  const isOfKey = beginning?.kind === 'path' && placeholders.path(PARAMETER, beginning)[0] === partitionKey
  return isOfKey ? 'prefix' : 'other'
}

function conjunctsOf(condition: ConditionAst): readonly ConditionAst[] {
  if (condition.kind !== 'and') return [condition]
  return [...conjunctsOf(condition.left), ...conjunctsOf(condition.right)]
}

/** The conditions joined by AND, OR and NOT. */
function leavesOf(condition: ConditionAst): readonly ConditionAst[] {
  if (condition.kind === 'not') return leavesOf(condition.condition)
  if (condition.kind === 'and' || condition.kind === 'or') {
    return [...leavesOf(condition.left), ...leavesOf(condition.right)]
  }
  return [condition]
}
