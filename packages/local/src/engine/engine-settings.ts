import { type ControlPlaneLimits, NO_CONTROL_PLANE_LIMITS } from '../capacity/control-plane-limits.js'
import { type ControlPlaneDelays, NO_DELAYS } from '../catalog/control-plane-delays.js'
import { type CapacityParameters, DEFAULT_CAPACITY } from '../partition/capacity-parameters.js'
import { DEFAULT_PROPAGATION, type PropagationParameters } from '../table/index-queue.js'

/** Everything by which one engine may treat the same requests in another way than another engine. Plain data. */
export interface EngineSettings {
  readonly capacity: CapacityParameters
  readonly propagation: PropagationParameters
  /** How long changes of tables take. */
  readonly delays: ControlPlaneDelays
  /** How fast and how many changes of tables may be asked for. */
  readonly controlPlaneLimits: ControlPlaneLimits
  /** How long a transaction holds its items, at least. */
  readonly transactionMilliseconds: number
}

/** Settings of which only some are said. */
export type GivenSettings = {
  readonly [name in keyof EngineSettings]?: EngineSettings[name] extends object
    ? Partial<EngineSettings[name]>
    : EngineSettings[name]
}

/** AWS tells no figure; the least that lets requests of one process overlap. */
const DEFAULT_TRANSACTION_MILLISECONDS = 1

/** What is said, and for the rest what holds when nothing is said. */
export function engineSettings(given: GivenSettings): EngineSettings {
  return {
    capacity: { ...DEFAULT_CAPACITY, ...given.capacity },
    propagation: { ...DEFAULT_PROPAGATION, ...given.propagation },
    delays: { ...NO_DELAYS, ...given.delays },
    controlPlaneLimits: { ...NO_CONTROL_PLANE_LIMITS, ...given.controlPlaneLimits },
    transactionMilliseconds: given.transactionMilliseconds ?? DEFAULT_TRANSACTION_MILLISECONDS,
  }
}
