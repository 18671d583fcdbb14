/** The kinds of errors in a scenario's input, its tables or the endpoint. */
export type ScenarioErrorCode =
  | 'access-log.unreadable'
  | 'access-log.malformed-line'
  | 'access-log.empty'
  | 'workload.out-of-range'
  | 'workload.unknown-path'
  | 'sharding.out-of-range'
  | 'parameter.unknown'
  | 'parameter.out-of-range'
  | 'run.too-large'
  | 'table.exists'
  | 'table.not-active'
  | 'endpoint.unreachable'
  | 'endpoint.refused'

/** A scenario could not start or continue. `message` names the value, the rule and the cure. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError'
  readonly code: ScenarioErrorCode

  constructor(code: ScenarioErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
