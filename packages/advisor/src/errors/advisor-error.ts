/** Why advice could not be given. */
export type AdvisorErrorCode =
  /** A template or a table definition that cannot be read. */
  | 'template.malformed'
  /** Text without any table. */
  | 'template.no-tables'
  /** Sample items that cannot be read. */
  | 'sample.malformed'
  /** Settings of the linter that are wrong. */
  | 'lint.settings'
  /** Prices that cannot be read. */
  | 'prices.malformed'
  /** A region without prices. */
  | 'prices.no-region'
  /** A log or a trace that cannot be read. */
  | 'traffic.malformed'
  /** A log or a trace without requests that count. */
  | 'traffic.empty'
  /** Figures from which nothing can be planned. */
  | 'plan.input'

/**
 * The error of this package.
 *
 * @example
 * try {
 *   readTables('{', 'table.json')
 * } catch (error) {
 *   if (error instanceof AdvisorError) console.log(error.code) // 'template.malformed'
 * }
 */
export class AdvisorError extends Error {
  override readonly name = 'AdvisorError'
  readonly code: AdvisorErrorCode

  constructor(code: AdvisorErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
