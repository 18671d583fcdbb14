import { invalidParameters } from '../errors/service-error.js'
import { isArn, parseTableArn, type TableArn } from '../table/table-arn.js'

const DYNAMODB_ARN = /^arn:[a-z-]+:dynamodb:/
const STREAM_ARN =
  /^arn:aws[a-z-]*:dynamodb:[a-z0-9-]+:\d{12}:table\/[a-zA-Z0-9_.-]{3,255}\/stream\/[\w.:-]+$/

export function isStreamArn(arn: string): boolean {
  return STREAM_ARN.test(arn)
}

/**
 * The table whose ARN a request gives, where the service takes the ARN of a table or a stream.
 * @returns `undefined` for the ARN of a stream.
 * @throws ServiceError for any other text. Observed in October 2026.
 */
export function resourceTable(arn: string): TableArn | undefined {
  if (!isArn(arn)) throw invalidParameters(`ARNs must start with 'arn:': ${arn}`)
  if (!DYNAMODB_ARN.test(arn)) throw invalidParameters(`Provided Arn is not a DynamoDB resource arn: ${arn}`)
  const table = parseTableArn(arn)
  if (table !== undefined || isStreamArn(arn)) return table
  throw invalidParameters(
    `Invalid resource arn provided, only table or stream is accepted. Provided resource arn: ${arn}`,
  )
}
