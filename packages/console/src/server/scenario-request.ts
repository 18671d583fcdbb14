import type { ScenarioDescription, ScenarioMode, ScenarioRequest } from '../api/scenarios.js'
import { ConsoleError } from './console-error.js'
import { shownValue } from './shown-value.js'

const MEMBERS: ReadonlySet<string> = new Set(['scenario', 'mode', 'parameters'])
const MODES: readonly ScenarioMode[] = ['rehearsal', 'live']

/**
 * The request for a run in a body.
 * @throws ConsoleError `request.parameter` or `scenario.unknown`
 */
export function scenarioRequest(
  body: Readonly<Record<string, unknown>>,
  scenarios: readonly ScenarioDescription[],
): ScenarioRequest {
  for (const name of Object.keys(body)) {
    if (!MEMBERS.has(name)) throw refused(name, 'is unknown', `Known are ${[...MEMBERS].join(', ')}.`)
  }
  const found = scenarios.find(({ name }) => name === body.scenario)
  if (found === undefined) {
    const names = scenarios.map(({ name }) => name).join(', ')
    const cure = names === '' ? 'This console runs none.' : `There are ${names}.`
    const message = `There is no scenario ${shownValue(body.scenario)}. ${cure}`
    throw new ConsoleError('scenario.unknown', 404, message)
  }
  const wanted = body.mode ?? 'rehearsal'
  const mode = MODES.find((each) => each === wanted && found.modes.includes(each))
  if (mode === undefined) {
    throw refused('mode', `is ${shownValue(body.mode)}`, `Give one of ${found.modes.join(', ')}.`)
  }
  return { scenario: found.name, mode, parameters: parametersOf(body.parameters ?? {}, found) }
}

function parametersOf(
  given: unknown,
  { name: scenario, parameters }: ScenarioDescription,
): ScenarioRequest['parameters'] {
  if (!isObject(given)) throw refused('parameters', 'is no object', 'Give names and numbers.')
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const known = parameters.find((each) => each.name === name)
      if (known === undefined) {
        const names = parameters.map((each) => each.name).join(', ')
        throw refused(name, 'is unknown', `${scenario} has ${names}.`)
      }
      const { min, max, isWhole } = known
      const isNumber = typeof value === 'number' && value >= min && value <= max
      if (isNumber && (!isWhole || Number.isInteger(value))) return [name, value]
      const kind = isWhole ? 'a whole number' : 'a number'
      throw refused(name, `is ${shownValue(value)}`, `Give ${kind} from ${min} to ${max}.`)
    }),
  )
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function refused(name: string, what: string, cure: string): ConsoleError {
  return new ConsoleError('request.parameter', 400, `The parameter ${name} ${what}. ${cure}`)
}
