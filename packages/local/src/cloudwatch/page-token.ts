import { CloudwatchError } from './cloudwatch-error.js'

/** Encodes the position of the next page as a token for the client. */
export function printToken(...position: readonly number[]): string {
  return Buffer.from(position.join('/')).toString('base64')
}

/** @throws CloudwatchError for a token that no response contained. */
export function parseToken(token: string | undefined): readonly number[] {
  if (token === undefined) return []
  const position = Buffer.from(token, 'base64').toString().split('/').map(Number)
  const isPosition = position.every((number) => Number.isSafeInteger(number) && number >= 0)
  if (isPosition && printToken(...position) === token) return position
  throw new CloudwatchError('InvalidNextToken', 'InvalidNextToken', 'The token in the request is not valid.')
}
