import { ScenarioError } from '../scenario-error.js'
import type { ScenarioParameter, ScenarioValues } from './scenario.js'

/**
 * The value of every parameter: what is given, or its default.
 * @throws ScenarioError `parameter.unknown` or `parameter.out-of-range`
 */
export function checkedValues(
  parameters: readonly ScenarioParameter[],
  given: ScenarioValues,
): Readonly<Record<string, number>> {
  const names = parameters.map(({ name }) => name)
  for (const name of Object.keys(given)) {
    if (names.includes(name)) continue
    const known = names.join(', ')
    throw new ScenarioError('parameter.unknown', `The parameter ${name} is unknown. Known are ${known}.`)
  }
  return Object.fromEntries(parameters.map((parameter) => [parameter.name, checked(parameter, given)]))
}

function checked({ name, min, max, isWhole, default: usual }: ScenarioParameter, given: ScenarioValues) {
  const value = Object.hasOwn(given, name) ? given[name] : usual
  const isNumber = typeof value === 'number' && value >= min && value <= max
  if (isNumber && (!isWhole || Number.isInteger(value))) return value
  const kind = isWhole ? 'a whole number' : 'a number'
  throw new ScenarioError(
    'parameter.out-of-range',
    `The parameter ${name} is ${JSON.stringify(value)}. Give ${kind} from ${min} to ${max}.`,
  )
}
