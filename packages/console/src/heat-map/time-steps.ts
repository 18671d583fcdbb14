const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Steps that people count in, in seconds. */
const STEPS = [
  ...[1, 2, 5, 10, 15, 30],
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 7, 14, 28].map((days) => days * DAY),
]

/**
 * The steps from one time to the next on an axis, in seconds. Times between two values would be written like the one before, where
 * their texts have no seconds.
 *
 * @param times of the values, in seconds
 */
export function timeSteps(times: readonly number[]): number[] {
  const [first = 0, second = first] = times
  const steps = STEPS.filter((step) => step >= second - first)
  return steps.length > 0 ? steps : STEPS.slice(-1)
}
