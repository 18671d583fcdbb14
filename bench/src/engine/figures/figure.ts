/** One figure that is not a rate of requests over HTTP. */
export interface Figure {
  readonly name: string
  readonly measured: string
  /** What it should be. Some figures are only stated. */
  readonly aim?: { readonly text: string; readonly isMet: boolean }
}

/** Measures some figures, in a separate process that has `--expose-gc`. */
export type MeasureFigures = () => Promise<readonly Figure[]>
