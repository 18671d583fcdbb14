/** What one behaviour looked like, second by second, in units. */
export interface BehaviourRun {
  /** Of the chart's file. */
  readonly name: string
  readonly title: string
  /** What is offered to what. */
  readonly setting: string
  readonly offered: readonly number[]
  readonly accepted: readonly number[]
  /** Partitions of the table at the end of each second. */
  readonly partitions: readonly number[]
  readonly limit: { readonly value: number; readonly text: string }
}
