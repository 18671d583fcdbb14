/** A layer of the history: columns of one width, of which the newest are kept. */
export interface HeatLayerParameters {
  /** The width of a column. Each layer's is a multiple of the one before. */
  readonly seconds: number
  /** How many columns are kept. */
  readonly columns: number
  /** The maximum number of keys of one table or index in a column. The others are part of their partition only. */
  readonly keys: number
}

/** The limits of the history of heat. They bound its memory for any traffic and any time. */
export interface HeatParameters {
  /** The layers, the finest first. */
  readonly layers: readonly HeatLayerParameters[]
  /** The maximum number of different keys of a table or index counted in one second. */
  readonly keysPerSecond: number
  /** The maximum number of cells (a partition or a key in a column) of all layers. The oldest are dropped first. */
  readonly maxCells: number
}

export const DEFAULT_HEAT: HeatParameters = {
  // Ten minutes by the second, two hours by ten seconds, a day by the minute, and four weeks by the half-hour.
  layers: [
    { seconds: 1, columns: 600, keys: 256 },
    { seconds: 10, columns: 720, keys: 128 },
    { seconds: 60, columns: 1440, keys: 96 },
    { seconds: 1800, columns: 1344, keys: 96 },
  ],
  // A key at the limit of a partition has a thousand requests a second, so it is among the first few thousand.
  keysPerSecond: 4096,
  // About 50 MB.
  maxCells: 600_000,
}
