/** The number of classes into which items are divided by a hash of their sort key, to tell one hot item from many. */
export const ITEM_HASHES = 8

/** Why more shards do not help a throttled key: one of its items is hot, or the table gives no more. */
export const DIAGNOSES = ['hot_item', 'table_full'] as const
export type Diagnosis = (typeof DIAGNOSES)[number]

/**
 * What the processes of a fleet report about a key, in its item of the shard map. It is evidence. Readers and writers do not rely
 * on it.
 */
export interface FleetSigns {
  /** Epoch seconds when a process last found the key too busy for fewer shards; 0 if no process did. */
  readonly lastBusy: number
  /** The heat that the processes reported since the count was last changed. */
  readonly heat: HeatTotals
  /** `undefined` if the count never grew, or only by earlier versions. */
  readonly lastGrowth: Growth | undefined
  /** The reads of the fleet while the key is quiet. Missing until a process has reported some. */
  readonly quietReads?: QuietReads
  /** The count before the last automatic removal of shards. */
  readonly lastPeak?: LastPeak
}

/** Read units that requests have spent only because the key has shards to ask, whatever they found there. */
export interface QuietReads {
  readonly units: number
  /** Epoch seconds of the first report. */
  readonly since: number
  /** The `units` at which a process last counted what removing shards would cost; 0 if none did. */
  readonly weighed: number
}

export interface LastPeak {
  readonly shards: number
  /** Epoch seconds when the key was last busy or last grew. */
  readonly at: number
}

/**
 * The sum of all reports. A process does not report each throttle: it reports a fixed number of units with a probability in
 * proportion. So the sum is right for any number of processes, and the number of reports does not depend on it.
 */
export interface HeatTotals {
  /** Units that the application requested to write. */
  readonly offeredUnits: number
  /** Units that were written, at whichever attempt. */
  readonly acceptedUnits: number
  /** Units of throttled first attempts, by the hash of the item. */
  readonly throttledUnits: readonly number[]
  /** How many samples the units come from. Few samples are a rough estimate. */
  readonly samples: number
}

export const NO_HEAT: HeatTotals = {
  offeredUnits: 0,
  acceptedUnits: 0,
  throttledUnits: new Array<number>(ITEM_HASHES).fill(0),
  samples: 0,
}

/** The last growth of a count, so that any process can tell later whether it helped. */
export interface Growth {
  readonly from: number
  readonly to: number
  /** The units per second that were accepted before. */
  readonly acceptedPerSecond: number
  /** The units per second that were throttled before, at the first attempt. */
  readonly throttledPerSecond: number
  /** How many growths in a row, before this one, did not help. */
  readonly inVain: number
}

const GROWTH = /^\d+(:\d+){4}$/

export function growthText({ from, to, acceptedPerSecond, throttledPerSecond, inVain }: Growth): string {
  return [from, to, Math.round(acceptedPerSecond), Math.round(throttledPerSecond), inVain].join(':')
}

export function parseGrowth(text: string): Growth | undefined {
  if (!GROWTH.test(text)) return undefined
  const [from = 0, to = 0, acceptedPerSecond = 0, throttledPerSecond = 0, inVain = 0] = text
    .split(':')
    .map(Number)
  return { from, to, acceptedPerSecond, throttledPerSecond, inVain }
}
