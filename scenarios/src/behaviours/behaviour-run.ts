/** The recording of one behaviour, second by second, in units. */
export interface BehaviourRun {
  /** The name of the chart's file. */
  readonly name: string
  readonly title: string
  /** The offered load and the table under it. */
  readonly setting: string
  readonly offered: readonly number[]
  readonly accepted: readonly number[]
  /** Partitions of the table at the end of each second. */
  readonly partitions: readonly number[]
  readonly limit: { readonly value: number; readonly text: string }
}
