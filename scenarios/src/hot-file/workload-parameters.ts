import { ScenarioError } from '../scenario-error.js'

/** The size of the workload. */
export interface WorkloadParameters {
  /** Writes a second of the log in its own order and skew. */
  readonly baseWritesPerSecond: number
  /** Additional writes a second to one file once it is viral. */
  readonly viralWritesPerSecond: number
  /** Seconds of base traffic before the file goes viral. */
  readonly calmSeconds: number
  /** Seconds in which the viral traffic grows linearly from zero. */
  readonly rampSeconds: number
  /** Seconds for which it stays at its peak. */
  readonly holdSeconds: number
  /** Bytes to which an item is padded, room for a suffix included; 0 keeps the log's own attributes. */
  readonly itemBytes: number
  /** Writes of one strategy that can be in flight at once; further ones are not sent and count as shed. */
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

/** Bounds of each parameter. One process cannot drive anything near an hour or 100,000 writes a second. */
export const WORKLOAD_BOUNDS: { readonly [name in keyof WorkloadParameters]: readonly [number, number] } = {
  baseWritesPerSecond: [1, 100_000],
  viralWritesPerSecond: [0, 100_000],
  calmSeconds: [0, 3_600],
  rampSeconds: [0, 3_600],
  holdSeconds: [1, 3_600],
  // Leaves room for a path and the other attributes below DynamoDB's 400 KB an item.
  itemBytes: [0, 400_000],
  maxInFlight: [1, 100_000],
}

/** @throws ScenarioError `workload.out-of-range` */
export function checkWorkloadParameters(parameters: WorkloadParameters): void {
  for (const name of Object.keys(WORKLOAD_BOUNDS) as (keyof WorkloadParameters)[]) {
    const [min, max] = WORKLOAD_BOUNDS[name]
    const value = parameters[name]
    const whole = isWholeParameter(name)
    if (value >= min && value <= max && (!whole || Number.isInteger(value))) continue
    throw new ScenarioError(
      'workload.out-of-range',
      `${name} is ${value}; it must be ${whole ? 'a whole number' : 'a number'} from ${min} to ${max}.`,
    )
  }
}

/** Figures are recorded by whole seconds, so phases begin and end with them. */
export function isWholeParameter(name: keyof WorkloadParameters): boolean {
  return !name.endsWith('PerSecond')
}

export function totalSeconds(parameters: WorkloadParameters): number {
  return parameters.calmSeconds + parameters.rampSeconds + parameters.holdSeconds
}

/** The time when the traffic peaks; figures "after the ramp" count from here. */
export function rampEndSeconds(parameters: WorkloadParameters): number {
  return parameters.calmSeconds + parameters.rampSeconds
}

/** Additional writes a second to the viral file at a time of the run. */
export function viralRateAt(parameters: WorkloadParameters, seconds: number): number {
  const sinceCalm = seconds - parameters.calmSeconds
  if (sinceCalm < 0) return 0
  if (sinceCalm >= parameters.rampSeconds) return parameters.viralWritesPerSecond
  return (parameters.viralWritesPerSecond * sinceCalm) / parameters.rampSeconds
}
