import { CloudwatchError } from './cloudwatch-error.js'

/** Where the next page begins, as a token for the client. */
export function printToken(position: number): string {
  return Buffer.from(String(position)).toString('base64')
}

/** @throws CloudwatchError for a token that none of the answers held. */
export function parseToken(token: string | undefined): number {
  if (token === undefined) return 0
  const position = Number(Buffer.from(token, 'base64').toString())
  if (Number.isSafeInteger(position) && position > 0 && printToken(position) === token) return position
  throw new CloudwatchError('InvalidNextToken', 'InvalidNextToken', 'The token in the request is not valid.')
}
