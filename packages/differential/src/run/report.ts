import type { Difference } from '../judgement/exception.js'
import type { Findings } from './compare.js'

/** One line with the result. */
export function summary({ compared, equal, unexplained }: Findings): string {
  const byName = compared - equal - unexplained.length
  return `compared ${compared} operations: ${equal} equal, ${byName} excepted by name, ${unexplained.length} unexplained`
}

/** The named exceptions that occurred, with their counts, and those that did not. */
export function exceptionLines({ excepted }: Findings): string[] {
  const met = [...excepted].filter(([, count]) => count > 0).sort(([, a], [, b]) => b - a)
  const unmet = [...excepted].flatMap(([name, count]) => (count === 0 ? [name] : []))
  return [
    ...met.map(([name, count]) => `  ${String(count).padStart(6)}  ${name}`),
    ...(unmet.length === 0 ? [] : [`  not met in this run: ${unmet.join(', ')}`]),
  ]
}

/** A difference in readable form: the request and both responses. */
export function describeDifference({ step, ours, theirs }: Difference): string {
  return [
    `${step.operation}${step.pages ? ' in pages' : ''} ${JSON.stringify(step.request)}`,
    `  isotherm:       ${JSON.stringify(ours)}`,
    `  DynamoDB Local: ${JSON.stringify(theirs)}`,
  ].join('\n')
}
