import { atLeastText, constraintText } from '@isotherm/semantics'
import type { Violation } from './shape.js'

/** The service's new texts for unknown values. The misspelt names are the service's. */
const UNKNOWN_RETURN_VALUES =
  'Failed to satisfy constraint: Member must satisfy enum value set: [ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATE_NEW, NONE]'
const UNKNOWN_CONDITIONAL_OPERATOR =
  'Failed to satisfy constraint: Member must satisfy enum value set: [ALL, OR]'
const NEW_TEXTS: ReadonlyMap<string, string> = new Map([
  ['ReturnValues', UNKNOWN_RETURN_VALUES],
  ['ConditionalOperator', UNKNOWN_CONDITIONAL_OPERATOR],
])

/** Requests with deeper values are checked by the older component, with its texts. Measured: about this number. */
const MAX_DEPTH_OF_NEW_TEXTS = 62

/**
 * Arranges the violations of PutItem, UpdateItem and DeleteItem. An older component of the service checks that nothing
 * is missing, and reports all violations in its own words. If nothing is missing, an empty table name is reported
 * alone, and other violations partly in new words.
 * @param reportsReturnValuesAlone whether an unknown ReturnValues hides other violations, as in UpdateItem.
 */
export function arrangedWrite(reportsReturnValuesAlone: boolean) {
  return (violations: readonly Violation[], input: Readonly<Record<string, unknown>>) => {
    const isNameEmpty = input.TableName === ''
    if (violations.some(({ isMissing }) => isMissing)) {
      const others = violations.filter(({ member }) => !(isNameEmpty && member === 'TableName'))
      const after = others.findIndex(({ member }) => member !== 'ReturnConsumedCapacity')
      const texts = others.map(({ text }) => text)
      return isNameEmpty ? texts.toSpliced(after < 0 ? texts.length : after, 0, EMPTY_NAME) : texts
    }
    if (isNameEmpty) return constraintText('TableName', atLeastText('length', 1))
    if (violations.some(({ member }) => NEW_TEXTS.has(member)) && isOfOlderComponent(input)) {
      return violations.map(({ text }) => text)
    }
    if (reportsReturnValuesAlone && violations.some(({ member }) => member === 'ReturnValues')) {
      return [UNKNOWN_RETURN_VALUES]
    }
    return violations.map(({ member, text }) => NEW_TEXTS.get(member) ?? text)
  }
}

/** Whether a write has values so deep that the older component checks all of it. */
export function isOfOlderComponent(input: object): boolean {
  return isDeeper(input, MAX_DEPTH_OF_NEW_TEXTS)
}

/** Query reports an unknown ConditionalOperator alone, and without a count. */
export function arrangedQuery(violations: readonly Violation[]): readonly string[] | string {
  if (violations.some(({ member }) => member === 'ConditionalOperator')) return UNKNOWN_CONDITIONAL_OPERATOR
  return violations.map(({ text }) => text)
}

/** TransactWriteItems reports a token of a wrong length alone. */
export function arrangedTransaction(violations: readonly Violation[]): readonly string[] {
  const token = violations.find(({ member }) => member === 'ClientRequestToken')
  return (token === undefined ? violations : [token]).map(({ text }) => text)
}

/** BatchWriteItem reports unknown values of its other members alone. */
export function arrangedBatch(violations: readonly Violation[]): readonly string[] {
  const others = violations.filter(({ member }) => member !== 'RequestItems')
  return (others.length > 0 ? others : violations).map(({ text }) => text)
}

const EMPTY_NAME = `Value '' at 'tableName' failed to satisfy constraint: ${atLeastText('length', 1)}`

/** Whether a request holds values with more lists and maps inside one another. */
function isDeeper(input: unknown, levels: number): boolean {
  // A level of a value takes two levels of JSON: its type, and its members. The request and its members take two more.
  return isDeeperJson(input, 2 * levels + 2)
}

function isDeeperJson(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((member) => isDeeperJson(member, levels - 1))
}
