import { type ControlPlaneLimits, NO_CONTROL_PLANE_LIMITS } from '../capacity/control-plane-limits.js'
import { type ControlPlaneDelays, NO_DELAYS } from '../catalog/control-plane-delays.js'
import { type CapacityParameters, DEFAULT_CAPACITY } from '../partition/capacity-parameters.js'
import { DEFAULT_PROPAGATION, type PropagationParameters } from '../table/index-queue.js'

/** All settings that make one engine treat the same requests differently from another. Plain data. */
export interface EngineSettings {
  readonly capacity: CapacityParameters
  readonly propagation: PropagationParameters
  /** How long table changes take. */
  readonly delays: ControlPlaneDelays
  /** Limits on the rate and number of table changes. */
  readonly controlPlaneLimits: ControlPlaneLimits
  /** The minimum time for which a transaction holds its items. */
  readonly transactionMilliseconds: number
}

/** Settings of which some may be missing. */
export type GivenSettings = {
  readonly [name in keyof EngineSettings]?: EngineSettings[name] extends object
    ? Partial<EngineSettings[name]>
    : EngineSettings[name]
}

/** AWS publishes no number. This is the minimum that lets requests of one process overlap. */
const DEFAULT_TRANSACTION_MILLISECONDS = 1

/** Fills in the defaults of missing settings. */
export function engineSettings(given: GivenSettings): EngineSettings {
  return {
    capacity: { ...DEFAULT_CAPACITY, ...given.capacity },
    propagation: { ...DEFAULT_PROPAGATION, ...given.propagation },
    delays: { ...NO_DELAYS, ...given.delays },
    controlPlaneLimits: { ...NO_CONTROL_PLANE_LIMITS, ...given.controlPlaneLimits },
    transactionMilliseconds: given.transactionMilliseconds ?? DEFAULT_TRANSACTION_MILLISECONDS,
  }
}
