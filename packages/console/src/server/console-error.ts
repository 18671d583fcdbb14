/** Why the console refuses a request. */
export type ConsoleErrorCode =
  | 'request.parameter'
  | 'request.body'
  | 'request.content-type'
  | 'request.header'
  | 'request.method'
  | 'request.origin'
  | 'request.path'
  | 'request.table'
  | 'live.full'
  | 'process.none'
  | 'scenario.unknown'
  | 'scenario.busy'
  | 'scenario.none'

/** A request that is refused. The message names the value, the rule and the cure. */
export class ConsoleError extends Error {
  override readonly name = 'ConsoleError'
  readonly code: ConsoleErrorCode
  readonly status: number

  constructor(code: ConsoleErrorCode, status: number, message: string) {
    super(message)
    this.code = code
    this.status = status
  }
}
