import { ScenarioError } from '../scenario-error.js'

/** What is asked of the tables, in numbers. */
export interface WorkloadParameters {
  /** Writes a second of the log in its own order and skew. */
  readonly baseWritesPerSecond: number
  /** Writes a second that one file gets on top once it is viral. */
  readonly viralWritesPerSecond: number
  /** Seconds of base traffic before the file goes viral. */
  readonly calmSeconds: number
  /** Seconds in which the viral traffic grows from nothing, in a straight line. */
  readonly rampSeconds: number
  /** Seconds for which it stays at its height. */
  readonly holdSeconds: number
  /** Bytes to which an item is padded, room for a suffix included; 0 leaves the log's own attributes alone. */
  readonly itemBytes: number
  /** Writes of one strategy that may be unanswered at once; what comes on top is not sent and counted as shed. */
  readonly maxInFlight: number
}

export const DEFAULT_WORKLOAD: WorkloadParameters = {
  baseWritesPerSecond: 100,
  viralWritesPerSecond: 2_000,
  calmSeconds: 5,
  rampSeconds: 20,
  holdSeconds: 35,
  itemBytes: 0,
  maxInFlight: 5_000,
}

/** Bounds of each parameter. An hour and 100,000 writes a second are far beyond what one process drives. */
export const WORKLOAD_BOUNDS: { readonly [name in keyof WorkloadParameters]: readonly [number, number] } = {
  baseWritesPerSecond: [1, 100_000],
  viralWritesPerSecond: [0, 100_000],
  calmSeconds: [0, 3_600],
  rampSeconds: [0, 3_600],
  holdSeconds: [1, 3_600],
  // Room for a path and the other attributes below DynamoDB's 400 KB an item.
  itemBytes: [0, 400_000],
  maxInFlight: [1, 100_000],
}

/** @throws ScenarioError `workload.out-of-range` */
export function checkWorkloadParameters(parameters: WorkloadParameters): void {
  for (const name of Object.keys(WORKLOAD_BOUNDS) as (keyof WorkloadParameters)[]) {
    const [min, max] = WORKLOAD_BOUNDS[name]
    const value = parameters[name]
    // Figures are kept by whole seconds, so phases begin and end with them.
    const whole = !name.endsWith('PerSecond')
    if (value >= min && value <= max && (!whole || Number.isInteger(value))) continue
    throw new ScenarioError(
      'workload.out-of-range',
      `${name} is ${value}; it must be ${whole ? 'a whole number' : 'a number'} from ${min} to ${max}.`,
    )
  }
}

export function totalSeconds(parameters: WorkloadParameters): number {
  return parameters.calmSeconds + parameters.rampSeconds + parameters.holdSeconds
}

/** When the traffic has reached its height; figures "after the ramp" count from here. */
export function rampEndSeconds(parameters: WorkloadParameters): number {
  return parameters.calmSeconds + parameters.rampSeconds
}

/** Writes a second that the viral file gets on top of its share of the log, at a moment of the run. */
export function viralRateAt(parameters: WorkloadParameters, seconds: number): number {
  const sinceCalm = seconds - parameters.calmSeconds
  if (sinceCalm < 0) return 0
  if (sinceCalm >= parameters.rampSeconds) return parameters.viralWritesPerSecond
  return (parameters.viralWritesPerSecond * sinceCalm) / parameters.rampSeconds
}
