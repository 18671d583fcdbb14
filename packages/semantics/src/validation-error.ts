/**
 * A rule of DynamoDB that a value or an expression breaks. The message is the service's own text; an engine sends it as
 * a `ValidationException`.
 */
export class ValidationError extends Error {
  override readonly name = 'ValidationError'
  /** The broken rule, such as `number.overflow`: stable, for programs. */
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}
